package io.tidegate.server.config;

import io.tidegate.catalog.Catalog;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Where the catalog is.
 *
 * @param jdbcUrl the database that all nodes share; null if the catalog is a file of this node
 * @param user who connects, if the URL does not say
 * @param password of the user
 * @param migrate whether to make the tables that are missing
 * @param data directory of the file
 */
public record CatalogConfig(
    @Nullable String jdbcUrl,
    @Nullable String user,
    @Nullable String password,
    boolean migrate,
    Path data) {

  /** Adds the flags to a command. */
  public static void declare(CommandSpec command) {
    Settings.declare(command, Setting.Topic.CATALOG);
  }

  /**
   * What was set, by flags, environment or file.
   *
   * @throws ConfigException if it cannot be used
   */
  public static CatalogConfig read(ParseResult flags, Map<String, String> environment) {
    Settings settings = Settings.read(flags, environment);
    CatalogConfig config = read(settings);
    settings.throwProblems();
    return config;
  }

  static CatalogConfig read(Settings settings) {
    String jdbcUrl = settings.text(Setting.JDBC_URL).orElse(null);
    if (jdbcUrl != null && (jdbcUrl.startsWith("jdbc:sqlite:") || !hasDriver(jdbcUrl))) {
      settings.refuse(
          Setting.JDBC_URL, "must be of MySQL or MariaDB, jdbc:mariadb://host:3306/database");
    }
    Path data = settings.path(Setting.DATA).orElseThrow();
    if (data.toString().contains("?")) {
      settings.refuse(Setting.DATA, "must not contain a question mark");
    }
    if (settings.has(Setting.JDBC_URL) && settings.has(Setting.DATA)) {
      settings.refuse(Setting.DATA, "is of no use beside jdbc-url, which has the catalog");
    }
    if (!settings.has(Setting.JDBC_URL)) {
      for (Setting setting : new Setting[] {Setting.JDBC_USER, Setting.JDBC_PASSWORD}) {
        if (settings.has(setting)) {
          settings.refuse(setting, "needs jdbc-url");
        }
      }
    }
    return new CatalogConfig(
        jdbcUrl,
        settings.text(Setting.JDBC_USER).orElse(null),
        settings.text(Setting.JDBC_PASSWORD).orElse(null),
        settings.isOn(Setting.JDBC_MIGRATE),
        data);
  }

  private static boolean hasDriver(String jdbcUrl) {
    try {
      DriverManager.getDriver(jdbcUrl);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** The URL to open the catalog with. */
  public String url() {
    return jdbcUrl != null ? jdbcUrl : Catalog.urlOfFile(data);
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return jdbcUrl != null ? Shown.url(jdbcUrl) : data.toString();
  }
}
