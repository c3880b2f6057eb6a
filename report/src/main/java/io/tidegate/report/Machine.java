package io.tidegate.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The machine and JVM of a run.
 *
 * @param load load average of the last minute; negative if unknown
 * @param flags arguments of the JVM
 */
public record Machine(
    int processors, String processor, String system, String jvm, double load, List<String> flags) {

  public static Machine current() {
    return new Machine(
        Runtime.getRuntime().availableProcessors(),
        processorName(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  /** Whether other processes use more than a quarter of the processors. */
  public boolean isBusy() {
    return load > processors / 4.0;
  }

  /** The model on Linux, the architecture elsewhere. */
  private static String processorName() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
