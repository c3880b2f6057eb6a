package io.tidegate.testkit;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the data directory of a server has in it at first: system tables, and a root who needs no
 * password. It takes longer to make than to copy, so it is made once for each version.
 */
record MariaDbData(MariaDbBinary binary) {

  /** Small, as each server begins with a copy; MariaDB's default is 96 MB. */
  static final String LOG_FILE_SIZE = "--innodb-log-file-size=16M";

  /** By itself, MySQL knows a root without a network only. */
  private static final String MYSQL_ROOT = """
      CREATE USER root@'127.0.0.1';
      GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
      """;

  void copyTo(Path target) {
    FileTree.copy(Cache.get("mariadb-data-" + binary.version(), this::make), target);
  }

  private void make(Path data) throws IOException {
    Files.createDirectory(data);
    Path sql = data.resolveSibling("first.sql");
    Files.writeString(sql, binary.isMySql() ? MYSQL_ROOT : systemTables());
    List<String> command = new ArrayList<>(binary.command());
    command.addAll(List.of("--datadir=" + data, LOG_FILE_SIZE));
    command.addAll(
        binary.isMySql()
            ? List.of("--initialize-insecure", "--init-file=" + sql)
            : List.of("--bootstrap"));
    MariaDbBinary.run(command, Redirect.from(sql.toFile()));
  }

  /** As mariadb-install-db has them, without the manual and the views for administrators. */
  private String systemTables() throws IOException {
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
        .map(prefix -> binary.base().resolve(prefix + name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            binary.path() + " lacks share/mariadb_" + name + " in " + binary.base()));
  }
}
