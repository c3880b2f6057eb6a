package io.tidegate.spring;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Limit;
import io.tidegate.rules.web.LimitProvider;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.TestApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Rules of a running application, with MVC and with WebFlux. Each test has a path of its own. */
class RulesTest {

  @Configuration(proxyBeanMethods = false)
  @Import(Hello.class)
  static class App {

    /** Limits that a test changes while the application runs. */
    static final Map<String, Limit> PLANS = new ConcurrentHashMap<>();

    @Bean
    LimitProvider plans() {
      return (rule, key) -> PLANS.get(rule + "/" + key);
    }

    @Bean
    Keys keys() {
      return new Keys();
    }
  }

  /** A bean for expressions. */
  public static class Keys {

    public String tenantOf(String apiKey) {
      if (apiKey.equals("broken")) {
        throw new IllegalStateException("no such key");
      }
      return apiKey.substring(0, apiKey.indexOf('-'));
    }
  }

  private static final Map<Front, TestApplication> APPS = new EnumMap<>(Front.class);

  private static TestApplication app(Front front) {
    return APPS.computeIfAbsent(
        front, each -> TestApplication.start(each, App.class, properties()));
  }

  @AfterAll
  static void stop() {
    APPS.values().forEach(TestApplication::close);
  }

  private static String[] properties() {
    String[][] rules = {
      {"name=load", "path=/load", "limit=500", "key='all'"},
      {"name=api", "path=/api/**", "limit=2", "key=header('X-Api-Key')"},
      {"name=methods", "path=/methods", "limit=1", "methods=post,put"},
      {"name=skip", "path=/skip", "limit=1", "key=cookie('session')", "missing-key=skip"},
      {"name=deny", "path=/deny", "limit=1", "key=header('X-Api-Key')", "missing-key=deny"},
      {"name=cost", "path=/cost", "limit=10", "cost=path.length()"},
      {"name=when", "path=/when", "limit=1", "when=header('X-Internal') == null"},
      {"name=shadow", "path=/shadow", "limit=1", "shadow=true"},
      {"name=tenants", "path=/tenants", "limit=1", "key=@keys.tenantOf(header('X-Api-Key'))"},
      {"name=native", "path=/native", "limit=1", "key=request.getClass().getName()"},
      {"name=segment", "path=/files/*/raw", "limit=1", "key='all'"},
      {"name=plans", "path=/plans", "limit=1", "key=header('X-User')"},
      {"name=minute", "path=/two", "limit=5", "key='all'"},
      {"name=day", "path=/two", "limit=2", "key='all'"},
      {"name=early", "path=/both", "limit=3", "key='all'"},
      {"name=late", "path=/both", "limit=2", "key='all'", "order=after-security"},
      {"name=proxied", "path=/proxied", "limit=1"},
      {"name=dots", "path=/dots/**", "limit=1", "key='all'"},
    };
    List<String> all = new ArrayList<>(List.of("tidegate.trusted-proxies=1"));
    for (int i = 0; i < rules.length; i++) {
      for (String property : rules[i]) {
        all.add("tidegate.rules[" + i + "]." + property);
      }
      all.add("tidegate.rules[" + i + "].window=365d");
    }
    return all.toArray(String[]::new);
  }

  @ParameterizedTest
  @EnumSource
  void fiftyThreadsGetExactlyTheLimit(Front front) {
    TestApplication app = app(front);
    assertThat(TestApplication.load(50, 20, i -> app.get("/load")))
        .containsOnly(entry(200, 500), entry(429, 500));
  }

  /** Tomcat normalizes the path, and Spring MVC matches the one that was sent. */
  @ParameterizedTest
  @EnumSource
  void encodedDotsDoNotEvadeARule(Front front) {
    TestApplication app = app(front);
    assertThat(app.get("/dots/%2e%2e/other").statusCode()).isEqualTo(200);
    assertThat(app.get("/dots/%2e%2e/other").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void denialHasHeadersAndAProblem(Front front) {
    TestApplication app = app(front);
    HttpResponse<String> allowed = app.get("/api/x", "X-Api-Key", "headers");
    assertThat(allowed.body()).isEqualTo("hello");
    assertThat(allowed.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=2;w=31536000");
    assertThat(allowed.headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"api\";r=1;t=");
    assertThat(allowed.headers().firstValue("Retry-After")).isEmpty();
    app.get("/api/x", "X-Api-Key", "headers");
    HttpResponse<String> denied = app.get("/api/x/y", "X-Api-Key", "headers");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(denied.headers().firstValue("Retry-After")).isPresent();
    assertThat(denied.body()).contains("quota-exceeded", "\"violated-policies\":[\"api\"]");
  }

  @ParameterizedTest
  @EnumSource
  void keysHaveCountsOfTheirOwn(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/api/a", "X-Api-Key", "one")).containsExactly(200, 200, 429);
    assertThat(app.statuses(3, "/api/b", "X-Api-Key", "two")).containsExactly(200, 200, 429);
    assertThat(app.statuses(2, "/other", "X-Api-Key", "one")).containsExactly(200, 200);
  }

  @ParameterizedTest
  @EnumSource
  void requestsWithoutAKeyShareACount(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/api/none")).containsExactly(200, 200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void ruleIsForItsMethods(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(2, "/methods")).containsExactly(200, 200);
    assertThat(app.send("POST", "/methods").statusCode()).isEqualTo(200);
    assertThat(app.send("PUT", "/methods").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void missingKeySkipsOrDenies(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(2, "/skip")).containsExactly(200, 200);
    assertThat(app.statuses(2, "/skip", "Cookie", "session=s1")).containsExactly(200, 429);
    assertThat(app.get("/deny").statusCode()).isEqualTo(403);
    assertThat(app.get("/deny", "X-Api-Key", "k").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void costIsAnExpression(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/cost")).containsExactly(200, 200, 429); // 5 tokens each
  }

  @ParameterizedTest
  @EnumSource
  void conditionExemptsRequests(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/when", "X-Internal", "1")).containsExactly(200, 200, 200);
    assertThat(app.statuses(2, "/when")).containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void shadowRuleDeniesNothingAndIsNotShown(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(3, "/shadow")).containsExactly(200, 200, 200);
    assertThat(app.get("/shadow").headers().firstValue("RateLimit")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void expressionCallsABean(Front front) {
    TestApplication app = app(front);
    assertThat(app.get("/tenants", "X-Api-Key", "acme-1").statusCode()).isEqualTo(200);
    assertThat(app.get("/tenants", "X-Api-Key", "acme-2").statusCode()).isEqualTo(429);
    assertThat(app.get("/tenants", "X-Api-Key", "other-1").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void expressionThatFailsStillLimits(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(2, "/tenants", "X-Api-Key", "broken")).containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void expressionReadsTheRequestOfTheFramework(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(2, "/native")).containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void pathIsDecodedAndHasNoParameters(Front front) {
    TestApplication app = app(front);
    assertThat(app.get("/fi%6Ces/a%20b;v=1/raw;x=y?z=/").statusCode()).isEqualTo(200);
    assertThat(app.get("/files/c/raw/").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void limitsChangeWithoutARestart(Front front) {
    TestApplication app = app(front);
    assertThat(app.statuses(2, "/plans", "X-User", "ann")).containsExactly(200, 429);
    App.PLANS.put("plans/ann", Limit.of(3, Duration.ofDays(365)));
    assertThat(app.statuses(3, "/plans", "X-User", "ann")).containsExactly(200, 200, 429);
    assertThat(app.statuses(2, "/plans", "X-User", "bob")).containsExactly(200, 429);
    App.PLANS.clear();
    assertThat(app.get("/plans", "X-User", "ann").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void allRulesThatMatchApply(Front front) {
    TestApplication app = app(front);
    HttpResponse<String> first = app.get("/two");
    assertThat(first.headers().firstValue("RateLimit-Policy").orElseThrow())
        .contains("\"minute\";q=5", "\"day\";q=2");
    assertThat(app.statuses(2, "/two")).containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void headersShowRulesBeforeAndAfterSecurity(Front front) {
    TestApplication app = app(front);
    HttpResponse<String> first = app.get("/both");
    assertThat(String.join(", ", first.headers().allValues("RateLimit-Policy")))
        .contains("\"early\";q=3", "\"late\";q=2");
    assertThat(app.statuses(2, "/both")).containsExactly(200, 429);
  }

  @ParameterizedTest
  @EnumSource
  void clientIsFoundBehindATrustedProxy(Front front) {
    TestApplication app = app(front);
    String spoofed = "198.51.100.7, 203.0.113.1"; // only the last entry is of the trusted proxy
    assertThat(app.get("/proxied", "X-Forwarded-For", spoofed).statusCode()).isEqualTo(200);
    assertThat(app.get("/proxied", "X-Forwarded-For", "203.0.113.1").statusCode())
        .isEqualTo(429);
    assertThat(app.get("/proxied", "X-Forwarded-For", "203.0.113.2").statusCode())
        .isEqualTo(200);
  }
}
