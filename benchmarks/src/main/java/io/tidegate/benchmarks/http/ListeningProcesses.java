package io.tidegate.benchmarks.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the processes that listen on a TCP port of this machine, on Linux. */
final class ListeningProcesses {

  private static final Path PROC = Path.of("/proc");

  /** Columns of the tables of sockets. */
  private static final int LOCAL_ADDRESS = 1;

  private static final int STATE = 3;
  private static final int INODE = 9;

  private static final String LISTENING = "0A";

  private ListeningProcesses() {}

  /** Empty if there are none, or if they belong to another user. */
  static List<ProcessHandle> of(int port) {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      sockets.addAll(sockets(PROC.resolve(table), port));
    }
    return ProcessHandle.allProcesses()
        .filter(process -> hasAny(process, sockets))
        .toList();
  }

  /** Links of file descriptors to the sockets that listen on a port. */
  private static Set<String> sockets(Path table, int port) {
    String suffix = ":%04X".formatted(port);
    try (Stream<String> lines = Files.lines(table)) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(row -> row[LOCAL_ADDRESS].endsWith(suffix) && row[STATE].equals(LISTENING))
          .map(row -> "socket:[" + row[INODE] + "]")
          .collect(Collectors.toSet());
    } catch (IOException e) {
      return Set.of(); // another system, or without IPv6
    }
  }

  private static boolean hasAny(ProcessHandle process, Set<String> sockets) {
    Path descriptors = PROC.resolve(process.pid() + "/fd");
    try (Stream<Path> files = Files.list(descriptors)) {
      return files.anyMatch(file -> sockets.contains(target(file)));
    } catch (IOException e) {
      return false; // ended, or of another user
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }
}
