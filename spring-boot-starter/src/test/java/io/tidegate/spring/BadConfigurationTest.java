package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/**
 * A configuration that would limit nothing, or not what its author wrote, stops the start. What
 * Spring Boot prints names the property and says what to do.
 */
class BadConfigurationTest {

  @Configuration(proxyBeanMethods = false)
  @Import(Hello.class)
  static class App {

    @Bean
    Keys keys() {
      return new Keys();
    }
  }

  /** A bean for expressions. */
  public static class Keys {

    public String of(String text) {
      return text;
    }

    public Mono<String> later() {
      return Mono.just("key");
    }
  }

  /** The properties of a good rule, which each case changes. */
  private static final List<String> GOOD = List.of("name=api", "limit=10", "window=1m");

  private static final String RULE = "tidegate.rules[0].";

  /** A rule with one property replaced or added, and texts that the message must have. */
  private static Arguments rule(String property, String... expected) {
    String name = property.substring(0, property.indexOf('=') + 1);
    List<String> all = new ArrayList<>(GOOD);
    all.removeIf(each -> each.startsWith(name));
    all.add(property);
    return Arguments.of(all.stream().map(each -> RULE + each).toList(), List.of(expected));
  }

  private static Arguments without(String property, String... expected) {
    return Arguments.of(
        GOOD.stream()
            .filter(each -> !each.startsWith(property))
            .map(each -> RULE + each)
            .toList(),
        List.of(expected));
  }

  private static Arguments properties(List<String> properties, String... expected) {
    return Arguments.of(properties, List.of(expected));
  }

  static Stream<Arguments> bad() {
    return Stream.of(
        // what a rule needs
        without("name", RULE + "name", "A rule needs a name"),
        without("limit", RULE + "limit", "A rule needs a limit", "such as 100"),
        without("window", RULE + "window", "A rule needs a window", "such as 1m"),
        rule("name=", RULE + "name", "A rule needs a name"),
        // values
        rule("limit=ten", RULE + "limit", "ten"),
        rule("limit=-1", RULE + "limit", "\"-1\"", "between 0 and"),
        rule("limit=10000000000000", RULE + "limit", "between 0 and"),
        rule("window=100ms", RULE + "window", "\"100ms\"", "between PT1S"),
        rule("window=60", RULE + "window", "\"60\"", "without a unit counts milliseconds"),
        rule("window=1y", RULE + "window", "1y"),
        rule("window=400d", RULE + "window", "\"400d\"", "between PT1S"),
        rule("methods=GETT", RULE + "methods", "GETT", "did you mean GET?"),
        rule("methods=SUBSCRIBE", RULE + "methods", "SUBSCRIBE", "must be one of"),
        rule("methods=", RULE + "methods", "must not be empty"),
        rule("path=api", RULE + "path", "\"api\"", "/api/**"),
        rule("path=/a/../b", RULE + "path", "\"/a/../b\""),
        rule("path=/a/**/b", RULE + "path", "\"/a/**/b\""),
        rule("path=/a?b", RULE + "path", "\"/a?b\""),
        rule("path=", RULE + "path"),
        rule("missing-key=ignore", RULE + "missing-key", "ignore"),
        rule("order=first", RULE + "order", "first"),
        rule("shadow=maybe", RULE + "shadow", "maybe"),
        // expressions
        rule("key=header('X'", RULE + "key", "cannot be parsed", "header('X'"),
        rule("key=", RULE + "key", "The expression is empty", "address of the client"),
        rule("key=#{principal}", RULE + "key", "must not be inside of #{ }"),
        rule("key=user", RULE + "key", "Unknown name user", "principal", "text in quotes"),
        rule("key=principle", RULE + "key", "Unknown name principle"),
        rule("key=header", RULE + "key", "Unknown name header", "header('...')"),
        rule("key=headers('X')", RULE + "key", "Unknown function headers with 1 arguments"),
        rule("key=header('X', 'Y')", RULE + "key", "Unknown function header with 2 arguments"),
        rule("key=header('X Y')", RULE + "key", "X Y"),
        rule("key=principal.name", RULE + "key", "A String has no name name"),
        rule("key=header('X').trimm()", RULE + "key", "A String has no function trimm"),
        rule("key=request.userPrincipall", RULE + "key", "has no name userPrincipall"),
        rule("key=#user", RULE + "key", "There are no variables", "#user"),
        rule("key=#user()", RULE + "key", "There are no variables", "#user"),
        rule("key=@nobody.of(path)", RULE + "key", "There is no bean with the name \"nobody\""),
        rule("key=@keys.off(path)", RULE + "key", "A Keys has no function off"),
        rule("key=@keys.of(pathh)", RULE + "key", "Unknown name pathh"),
        rule("key=@keys.of()", RULE + "key", "A Keys has no function of with 0 arguments"),
        rule("key=@keys.later()", RULE + "key", "The value is a Mono", "known at once"),
        rule("key=header('X') ?: nobody", RULE + "key", "Unknown name nobody"),
        rule("key=T(com.acme.Keys).of(path)", RULE + "key", "There is no class com.acme.Keys"),
        rule("key=principal = 'x'", RULE + "key", "cannot change a value"),
        rule("key=''", RULE + "key", "No request would have a key", "'all'"),
        rule("key=null", RULE + "key", "No request would have a key"),
        rule("cost=0", RULE + "cost", "\"0\"", "must not be 0"),
        rule("cost=-1", RULE + "cost", "\"-1\"", "between 0 and"),
        rule("cost=1.5", RULE + "cost", "not a whole number"),
        rule("cost='five'", RULE + "cost", "not a whole number"),
        rule("cost=size", RULE + "cost", "Unknown name size"),
        rule("cost=", RULE + "cost", "The expression is empty"),
        rule("when=header('X')", RULE + "when", "The value is a String", "must be true or false"),
        rule("when=true", RULE + "when", "the same for all requests"),
        rule("when=method == GET", RULE + "when", "Unknown name GET", "text in quotes"),
        // the principal is not known before Spring Security
        properties(
            List.of(
                RULE + "name=a",
                RULE + "limit=1",
                RULE + "window=1m",
                RULE + "key=principal",
                RULE + "order=before-security"),
            RULE + "order",
            "reads the principal",
            "Remove the property"),
        properties(
            List.of(
                RULE + "name=a",
                RULE + "limit=1",
                RULE + "window=1m",
                RULE + "when=principal == 'ann'",
                RULE + "order=before-security"),
            RULE + "order",
            "reads the principal"),
        // the shape of the properties
        properties(
            List.of(
                RULE + "name=a",
                RULE + "limit=1",
                RULE + "window=1m",
                "tidegate.rules[1].name=a",
                "tidegate.rules[1].limit=1",
                "tidegate.rules[1].window=1m"),
            "tidegate.rules[1].name",
            "tidegate.rules[0]",
            "own name"),
        properties(
            List.of("tidegate.rules.login.limit=1", "tidegate.rules.login.window=1m"),
            "tidegate.rules.login.limit",
            "is a list",
            "- name: login"),
        rule("limits=5", RULE + "limits", "no such property", "missing-key"),
        properties(List.of("tidegate.redis-url=redis://x"), "tidegate.redis-url", "redis-uri"),
        properties(List.of("tidegate.rule[0].name=a"), "tidegate.rule[0].name"),
        properties(List.of("tidegate.rules=api"), "tidegate.rules"),
        // stores
        properties(
            List.of("tidegate.redis-uri=localhost"), "tidegate.redis-uri", "not a Redis URI"),
        properties(
            List.of("tidegate.redis-uri=redis://me:se cret@host"),
            "tidegate.redis-uri",
            "not a Redis URI",
            "The value is not shown"),
        properties(
            List.of("tidegate.redis-cluster=true"), "tidegate.redis-cluster", "tidegate.redis-uri"),
        properties(
            List.of("tidegate.jdbc-url=jdbc:mariadb://localhost/tidegate"),
            "tidegate.region",
            "need names",
            "eu-west-1"),
        properties(
            List.of(
                "tidegate.jdbc-url=mariadb://me:secret@localhost/tidegate", "tidegate.region=eu"),
            "tidegate.jdbc-url",
            "jdbc:mariadb://host"),
        properties(
            List.of(
                "tidegate.jdbc-url=jdbc:mariadb://localhost/tidegate",
                "tidegate.region=" + "x".repeat(49)),
            "tidegate.region",
            "at most 48 characters"),
        properties(List.of("tidegate.region= "), "tidegate.region", "must not be blank"),
        properties(List.of("tidegate.node=" + "n".repeat(300)), "tidegate.node", "at most 256"),
        // the rest
        properties(List.of("tidegate.max-series=0"), "tidegate.max-series", "\"0\"", "at least 1"),
        properties(List.of("tidegate.trusted-proxies=-1"), "tidegate.trusted-proxies", "negative"),
        properties(List.of("tidegate.headers=draft-99"), "tidegate.headers", "draft-99"),
        properties(
            List.of(RULE + "name=a", RULE + "limit=1", RULE + "window=1m", "tidegate.workspace="),
            "tidegate.workspace",
            "must not be empty"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void stopsTheStart(List<String> properties, List<String> expected) {
    String printed =
        TestApplication.failure(Front.WEBFLUX, App.class, properties.toArray(String[]::new));
    assertThat(printed).contains(expected).doesNotContain("secret", "se cret");
    String action = printed.substring(printed.indexOf("Action: ") + "Action: ".length());
    assertThat(action).isNotBlank().isNotEqualTo("null");
  }

  static Stream<Arguments> badForMvc() {
    return Stream.of(
        rule("key=exchange", RULE + "key", "Unknown name exchange"), // of WebFlux only
        rule("key=request.getHeaderr('X')", RULE + "key", "HttpServletRequest has no function"),
        without("limit", RULE + "limit", "A rule needs a limit"));
  }

  @ParameterizedTest
  @MethodSource("badForMvc")
  void stopsTheStartOfMvc(List<String> properties, List<String> expected) {
    assertThat(TestApplication.failure(Front.MVC, App.class, properties.toArray(String[]::new)))
        .contains(expected);
  }

  @Test
  void goodExpressionsStart() {
    List<String> properties = new ArrayList<>();
    for (int i = 0; i < GOOD_KEYS.size(); i++) {
      String rule = "tidegate.rules[" + i + "].";
      properties.addAll(List.of(rule + "name=r" + i, rule + "limit=9", rule + "window=1m"));
      properties.add(rule + "key=" + GOOD_KEYS.get(i));
    }
    try (TestApplication app =
        TestApplication.start(Front.WEBFLUX, App.class, properties.toArray(String[]::new))) {
      assertThat(app.get("/x?tenant=t").statusCode()).isEqualTo(200);
    }
  }

  private static final List<String> GOOD_KEYS = List.of(
      "principal ?: clientAddress",
      "header('X-Api-Key')?.trim()",
      "@keys.of(header('X') + ':' + path)",
      "request.queryParams['tenant']?.get(0)",
      "exchange.request.id",
      "{'a', 'b'}.contains(method) ? method : 'other'",
      "T(java.util.Objects).hash(method, path)",
      "#root.path",
      "'all'");
}
