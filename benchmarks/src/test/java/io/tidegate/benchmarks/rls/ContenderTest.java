package io.tidegate.benchmarks.rls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContenderTest {

  private final long pid = ProcessHandle.current().pid();

  @Test
  void withoutAProcessItsCpuTimeIsUnknown() {
    Contender contender = Contender.parse("limitador=127.0.0.1:8081");
    assertThat(contender.name()).isEqualTo("limitador");
    assertThat(contender.address().getAddress().isLoopbackAddress()).isTrue();
    assertThat(contender.address().getPort()).isEqualTo(8081);
    assertThat(contender.cpuSeconds()).isNaN();
  }

  @Test
  void cpuTimeIsThatOfAllProcesses() {
    Contender one = Contender.parse("a=localhost:1," + pid);
    Contender twice = Contender.parse("a=localhost:1," + pid + "," + pid);
    double before = one.cpuSeconds();
    assertThat(before).isPositive();
    assertThat(twice.cpuSeconds()).isGreaterThanOrEqualTo(2 * before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a=b", "=b:1", "a=:1", "a=b:", "a=b:1,", "a=b:1,x", "a|b=c:1"})
  void anythingElseIsInvalid(String text) {
    assertThatThrownBy(() -> Contender.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NAME=HOST:PORT[,PID...]: " + text);
  }

  @Test
  void unknownHostsAndProcessesAreNamed() {
    assertThatThrownBy(() -> Contender.parse("a=no-such-host.invalid:1"))
        .hasMessage("unknown host: no-such-host.invalid");
    assertThatThrownBy(() -> Contender.parse("a=localhost:1,999999999"))
        .hasMessage("no process has this id: 999999999");
    assertThatThrownBy(() -> Contender.parse("a=localhost:65536"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
