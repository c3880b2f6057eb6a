package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.PlainPasswords;
import io.tidegate.spring.testing.TestApplication;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** The order of rules and Spring Security, with the real one. */
class SecurityTest {

  @Configuration(proxyBeanMethods = false)
  @Import({Hello.class, Mvc.class, WebFlux.class})
  static class App {

    @Bean
    PlainPasswords passwords() {
      return new PlainPasswords();
    }
  }

  private static UserDetails user(String name) {
    return User.withUsername(name).password("secret").roles("USER").build();
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Mvc {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(requests ->
              requests.requestMatchers("/open/**").permitAll().anyRequest().authenticated())
          .httpBasic(Customizer.withDefaults())
          .csrf(csrf -> csrf.disable())
          .build();
    }

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(user("ann"), user("bob"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class WebFlux {

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.authorizeExchange(exchanges ->
              exchanges.pathMatchers("/open/**").permitAll().anyExchange().authenticated())
          .httpBasic(Customizer.withDefaults())
          .anonymous(Customizer.withDefaults()) // the anonymous user is then a principal
          .csrf(csrf -> csrf.disable())
          .build();
    }

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(user("ann"), user("bob"));
    }
  }

  private static final Map<Front, TestApplication> APPS = new EnumMap<>(Front.class);

  private static TestApplication app(Front front) {
    return APPS.computeIfAbsent(
        front,
        each -> TestApplication.start(
            each,
            App.class,
            "test.security=true",
            "tidegate.rules[0].name=users",
            "tidegate.rules[0].path=/private",
            "tidegate.rules[0].key=principal",
            "tidegate.rules[0].limit=2",
            "tidegate.rules[0].window=365d",
            "tidegate.rules[1].name=login",
            "tidegate.rules[1].path=/login",
            "tidegate.rules[1].limit=3",
            "tidegate.rules[1].window=365d",
            "tidegate.rules[2].name=open",
            "tidegate.rules[2].path=/open/users",
            "tidegate.rules[2].key=principal",
            "tidegate.rules[2].missing-key=deny",
            "tidegate.rules[2].limit=1",
            "tidegate.rules[2].window=365d",
            "tidegate.rules[3].name=shared",
            "tidegate.rules[3].path=/open/all",
            "tidegate.rules[3].key=principal",
            "tidegate.rules[3].limit=2",
            "tidegate.rules[3].window=365d",
            "tidegate.rules[4].name=late",
            "tidegate.rules[4].path=/late",
            "tidegate.rules[4].order=after-security",
            "tidegate.rules[4].limit=1",
            "tidegate.rules[4].window=365d"));
  }

  @AfterAll
  static void stop() {
    APPS.values().forEach(TestApplication::close);
  }

  private static String basic(String user, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void keyIsThePrincipal(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/private", "Authorization", basic("ann", "secret")))
        .containsExactly(200, 200, 429);
    assertThat(app.statuses(3, "/private", "Authorization", basic("bob", "secret")))
        .containsExactly(200, 200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void ruleForThePrincipalDoesNotCountRejectedRequests(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(4, "/private", "Authorization", basic("ann", "wrong")))
        .containsExactly(401, 401, 401, 401);
    assertThat(app.statuses(2, "/late")).containsExactly(401, 401);
    assertThat(app.statuses(2, "/late", "Authorization", basic("ann", "secret")))
        .containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void ruleBeforeSecurityLimitsLogins(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(4, "/login", "Authorization", basic("ann", "guess")))
        .containsExactly(401, 401, 401, 429);
    assertThat(app.get("/login", "Authorization", basic("ann", "secret")).statusCode())
        .isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void anonymousRequestsHaveNoPrincipal(Front front) {
    TestApplication app = app(front);
    assertThat(app.get("/open/users").statusCode()).isEqualTo(403); // missing-key=deny
    assertThat(app.statuses(2, "/open/users", "Authorization", basic("ann", "secret")))
        .containsExactly(200, 429);
    assertThat(app.statuses(3, "/open/all")).containsExactly(200, 200, 429);
    assertThat(app.get("/open/all", "Authorization", basic("ann", "secret")).statusCode())
        .isEqualTo(200);
  }
}
