package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

/** The tests run with the versions that an application gets from Spring Boot. */
class ManagedVersionsTest {

  /** Beginnings of file names, and the properties of Spring Boot's dependency management. */
  private static final Map<String, String> FAMILIES = Map.of(
      "lettuce-core", "lettuce.version",
      "netty-common", "netty.version",
      "netty-handler", "netty.version",
      "mariadb-java-client", "mariadb.version",
      "micrometer-core", "micrometer.version",
      "logback-classic", "logback.version",
      "slf4j-api", "slf4j.version",
      "snakeyaml", "snakeyaml.version",
      "spring-core", "spring-framework.version",
      "spring-security-web", "spring-security.version");

  @Test
  void areThoseOfSpringBoot() throws Exception {
    String managed = Files.readString(dependencies());
    Map<String, String> expected = new TreeMap<>();
    FAMILIES.forEach((jar, property) -> expected.put(jar, version(managed, property)));
    Map<String, String> actual = new TreeMap<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Matcher jar = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar")
          .matcher(Path.of(entry).getFileName().toString());
      if (jar.matches() && FAMILIES.containsKey(jar.group(1))) {
        actual.put(jar.group(1), jar.group(2));
      }
    }
    assertThat(actual).isEqualTo(expected);
  }

  private static String version(String managed, String property) {
    Matcher matcher =
        Pattern.compile("<" + property + ">(.+?)</" + property + ">").matcher(managed);
    assertThat(matcher.find()).as(property).isTrue();
    return matcher.group(1);
  }

  /** Finds the dependency management of the Spring Boot on the class path, in the repository. */
  private static Path dependencies() throws URISyntaxException {
    URI jar = SpringApplication.class
        .getProtectionDomain()
        .getCodeSource()
        .getLocation()
        .toURI();
    Path version = Path.of(jar).getParent();
    String number = version.getFileName().toString();
    return version.resolve("../../spring-boot-dependencies/" + number + "/spring-boot-dependencies-"
        + number + ".pom");
  }
}
