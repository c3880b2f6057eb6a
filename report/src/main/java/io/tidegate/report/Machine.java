package io.tidegate.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the figures come from.
 *
 * @param processors how many threads can run at once
 * @param processor what they run on, or how it calls itself
 * @param system the operating system
 * @param jvm the JVM and its version
 * @param load how many threads wanted to run in the minute before, negative if unknown
 * @param flags what the JVM was started with, and the forks with it
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

  /** Whether others use so much that two threads would not have two processors to themselves. */
  public boolean isBusy() {
    return load > processors / 4.0;
  }

  /** Linux tells the model; elsewhere the architecture has to do. */
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
