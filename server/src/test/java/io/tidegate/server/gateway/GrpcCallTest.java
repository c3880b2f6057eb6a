package io.tidegate.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcCallTest {

  @ParameterizedTest
  @CsvSource({
    "20m, 20000000",
    "1S, 1000000000",
    "100u, 100000",
    "5n, 5",
    "2M, 120000000000",
    "1H, 3600000000000",
    "0m, 0",
    "99999999H, 9223372036854775807",
    "'', -1",
    "m, -1",
    "20, -1",
    "20x, -1",
    "-1m, -1",
    "+1m, -1",
    "123456789m, -1",
    "1.5S, -1",
    "1 S, -1",
  })
  void timeoutsHaveAUnit(String timeout, long nanos) {
    assertThat(GrpcCall.nanos(timeout)).isEqualTo(nanos);
  }

  @Test
  void envoysDefaultTimeoutLeavesAWaitThatEndsInTime() {
    assertThat(GrpcCall.maxWait("20m").toMillis()).isEqualTo(5);
    assertThat(GrpcCall.maxWait("10m").toMillis()).isZero();
    assertThat(GrpcCall.maxWait("100m").toMillis()).isEqualTo(85);
    assertThat(GrpcCall.maxWait("1H").toMillis()).isEqualTo(TimeUnit.SECONDS.toMillis(1));
    assertThat(GrpcCall.maxWait(null).toMillis()).isEqualTo(TimeUnit.SECONDS.toMillis(1));
    assertThat(GrpcCall.maxWait("soon").toMillis()).isEqualTo(TimeUnit.SECONDS.toMillis(1));
  }

  @ParameterizedTest
  @CsvSource({
    "plain text, plain text",
    "100 %, 100 %25",
    "é, %C3%A9",
    "😀, %F0%9F%98%80",
  })
  void messagesArePercentEncoded(String message, String encoded) {
    assertThat(GrpcCall.percentEncoded(message)).isEqualTo(encoded);
  }

  @Test
  void controlCharactersCannotEndTheHeader() {
    assertThat(GrpcCall.percentEncoded("a\r\nb\0\u007f")).isEqualTo("a%0D%0Ab%00%7F");
  }
}
