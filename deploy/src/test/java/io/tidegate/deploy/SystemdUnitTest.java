package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidegate.server.config.ResourceConfig;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit of systemd: its limits and exit codes are those of the server, and it is hardened. */
class SystemdUnitTest {

  private static final Path UNIT = Path.of("systemd", "tidegate.service");
  private static final String LAUNCHER = "/opt/tidegate/tidegate";

  @TempDir
  private Path folder;

  private List<String> lines;

  @BeforeEach
  void read() throws IOException {
    lines = Files.readAllLines(UNIT);
  }

  private String value(String key) {
    List<String> values = lines.stream()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
    assertThat(values).as(key).hasSize(1);
    return values.get(0);
  }

  @Test
  void limitsCoverTheDefaultsOfTheServer() {
    ResourceConfig defaults = ServerConfig.of().resources();
    Duration stop = Duration.parse("PT" + value("TimeoutStopSec"));
    assertThat(stop)
        .isGreaterThanOrEqualTo(
            defaults.stopDelay().plus(defaults.stopTimeout()).plusSeconds(15));
    assertThat(Integer.parseInt(value("LimitNOFILE"))).isGreaterThan(2 * defaults.maxConnections());
  }

  @Test
  void invalidSettingsAreNotRetried() {
    Cli serve = Cli.run(Map.of(), "serve", "--http-port=x");
    assertThat(value("RestartPreventExitStatus")).isEqualTo(Integer.toString(serve.code()));
  }

  @Test
  void commandIsOneOfTheServer() throws IOException {
    Path settings = Files.writeString(folder.resolve("tidegate.yaml"), "region: eu\n");
    String[] command = value("ExecStart").split(" ", -1);
    assertThat(command).startsWith(LAUNCHER, "serve", "--config").hasSize(4);
    assertThat(Cli.run(Map.of(), "serve", command[2], settings.toString()).code())
        .isZero();
  }

  /** A JVM compiles code into memory that it executes. */
  @Test
  void memoryMayBeExecutable() {
    assertThat(lines).noneMatch(line -> line.startsWith("MemoryDenyWriteExecute"));
  }

  @Test
  void systemdFindsNoProblemAndLittleExposure() throws Exception {
    Path launcher = Files.createFile(
        folder.resolve("launcher"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Path unit = folder.resolve(UNIT.getFileName());
    Files.write(
        unit,
        lines.stream().map(line -> line.replace(LAUNCHER, launcher.toString())).toList());
    assertThat(analyze("verify", unit.toString())).isEmpty();
    // The number is ten times the exposure; 14 is what is left with a network and a JIT compiler.
    analyze("security", "--offline=yes", "--threshold=14", unit.toString());
  }

  /** Runs systemd-analyze and returns its output; skips the test where it is not installed. */
  private String analyze(String... arguments) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("systemd-analyze");
    builder.command().addAll(List.of(arguments));
    Path output = folder.resolve("output");
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      System.err.println("SKIPPED: systemd-analyze is not installed: " + e.getMessage());
      return abort("skipped: systemd-analyze is not installed");
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }
}
