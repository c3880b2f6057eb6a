package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Terminal.Result;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesCommandTest {

  @TempDir
  private Path directory;

  private final Terminal terminal = new Terminal();

  @BeforeEach
  void writeRules() throws IOException {
    write("edge.yaml", """
        domain: edge
        descriptors:
        - key: generic_key
          value: login
          descriptors:
          - key: remote_address
            rate_limit:
              name: per-address
              unit: minute
              requests_per_unit: 5
              replaces: [{name: all}]
        - key: path
          value: /api/*
          shadow_mode: true
          rate_limit: {window: 90s, requests_per_unit: 0}
        - key: internal
          rate_limit: {unlimited: true}
        - key: tokens
          quota_mode: true
          rate_limit: {window: 48h, requests_per_unit: 3}
        """);
  }

  /** The command serve replaces the handlers of the log. */
  @AfterEach
  void restoreLog() {
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private Result explain(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "rules";
    all[1] = "explain";
    all[2] = directory.toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return terminal.run(all);
  }

  @Test
  void checkCountsFilesDomainsAndRules() throws IOException {
    assertThat(terminal.run("rules", "check", directory.toString()))
        .isEqualTo(new Result(0, "ok: 1 file, 1 domain, 4 rules" + System.lineSeparator(), ""));
    write("other.yaml", "domain: other");
    assertThat(terminal.run("rules", "check", directory.toString()).out().strip())
        .isEqualTo("ok: 2 files, 2 domains, 4 rules");
  }

  @Test
  void checkPrintsAllErrors() throws IOException {
    write("a.yaml", "domain: a\ndescriptors:\n- {value: x}\n- {key: 'a\nb', rate_limit: {}}");
    Result result = terminal.run("rules", "check", directory.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .containsExactly(
            "tidegate: a.yaml:3: descriptor has no key, or an empty one",
            "tidegate: a.yaml:5: rate_limit needs requests_per_unit; 0 denies everything",
            "tidegate: a.yaml:5: rate_limit needs a unit (second, minute, hour, day, week, month, year)"
                + " or a window such as 10m");
    assertThat(terminal.run("rules", "check", directory + "/nowhere"))
        .isEqualTo(new Result(
            1,
            "",
            "tidegate: " + directory + "/nowhere: directory does not exist"
                + System.lineSeparator()));
  }

  @Test
  void explainPrintsEachStepAndTheCount() {
    Result result = explain("generic_key=login", "remote_address=1.2.3.4");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualToNormalizingNewlines("""
        domain edge
        1. generic_key=login: the descriptor for this value (edge.yaml:3)
        2. remote_address=1.2.3.4: no descriptor for this value; the one for all values of remote_address (edge.yaml:6)
        the limit at edge.yaml:6 applies
          limit       5 per minute
          name        per-address
          replaces    all
          mode        denies
          workspace   edge
          namespace   generic_key=login,remote_address
          identifier  1.2.3.4
          metric      edge.generic_key_login.remote_address
        """);
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      path=/api/=x     ; limit       0 per 90s, which denies everything
      path=/api/=x     ; identifier  /api/=x
      path=/api/x      ; mode        shadow: counted, but never denies
      internal=        ; limit       none: everything is allowed, and nothing is counted
      tokens=x         ; limit       3 per 48h
      tokens=x         ; mode        quota: denies only if all quota rules of a request are over their limits
      """)
  void explainShowsTheRule(String entry, String line) {
    assertThat(explain(entry).out().lines().map(String::strip)).contains(line);
  }

  @Test
  void explainSaysWhyNoLimitApplies() {
    assertThat(explain("generic_key=logout").out()).isEqualToNormalizingNewlines("""
        domain edge
        1. generic_key=logout: no descriptor for this value, no wildcard matches it, and none is for all values of generic_key
        no limit: entry generic_key=logout matches no descriptor
        """);
    assertThat(explain("--domain=other", "a=b").out()).isEqualToNormalizingNewlines("""
        domain other
        no limit: domain other is in no file
        """);
  }

  @Test
  void explainNeedsTheDomainIfThereAreSeveral() throws IOException {
    write("other.yaml", "domain: other");
    Result result = explain("internal=x");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: --domain is missing: the files have the domains edge, other")
        .contains("Try 'tidegate rules explain --help'");
    assertThat(explain("internal=x", "--domain", "edge").out()).contains("edge.internal");
  }

  @ParameterizedTest
  @ValueSource(strings = {"internal", "=x", ""})
  void explainNeedsKeysAndValues(String entry) {
    Result result = explain(entry);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("tidegate: an entry must have the form KEY=VALUE: " + entry);
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "check-config"})
  void serverDoesNotStartWithInvalidRules(String command) throws IOException {
    write("a.yaml", "domain: a\ndescriptors:\n- {value: x}\n- {kee: x}");
    Result result = terminal.run(command, "--rules=" + directory);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .containsExactly(
            "tidegate: a.yaml:3: descriptor has no key, or an empty one",
            "tidegate: a.yaml:4: unknown key 'kee'; did you mean key?",
            "tidegate: a.yaml:4: descriptor has no key, or an empty one");
    assertThat(terminal.served()).isEmpty();
  }

  @Test
  void serverStartsWithValidRules() {
    assertThat(terminal.run("check-config", "--rules=" + directory).out().strip())
        .isEqualTo("ok");
    assertThat(terminal.run("serve", "--rules=" + directory).exitCode()).isEqualTo(7);
    assertThat(terminal.served().get(0).rules()).isEqualTo(directory);
  }
}
