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
 * Location of the catalog: the database of all regions, which also has the global counters, or a
 * local file.
 *
 * @param jdbcUrl the database; null if the catalog is a file
 * @param user the database user, unless the URL contains it
 * @param password the password of the user
 * @param migrate whether to create and update tables
 * @param data the directory of the file
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
   * Reads flags, environment variables and the file that one of them names.
   *
   * @throws ConfigException if a setting is invalid, with all problems
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
      settings.reject(
          Setting.JDBC_URL,
          "must be a MySQL or MariaDB URL such as jdbc:mariadb://host:3306/database");
    }
    Path data = settings.path(Setting.DATA).orElseThrow();
    if (data.toString().contains("?")) {
      settings.reject(Setting.DATA, "must not contain a question mark");
    }
    if (settings.has(Setting.JDBC_URL) && settings.has(Setting.DATA)) {
      settings.reject(Setting.DATA, "has no effect with jdbc-url, which stores the catalog");
    }
    settings.require(Setting.JDBC_USER, Setting.JDBC_URL);
    settings.require(Setting.JDBC_PASSWORD, Setting.JDBC_URL);
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

  /** The URL or the directory, without secrets. */
  @Override
  public String toString() {
    return jdbcUrl != null ? SafeText.url(jdbcUrl) : data.toString();
  }
}
