package io.tidegate.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The registration that the documentation shows. */
class SnippetTest {

  private static void register(ServletContext context) {
    WebRule api = WebRule.named("api")
        .path("/api/**")
        .methods("GET", "POST")
        .key(KeyFunction.header("X-Api-Key").orElse(KeyFunction.clientAddress()))
        .limit(Limit.perDay(2))
        .build();
    WebLimiter web = WebLimiter.builder(RateLimiter.inMemory()).rules(api).build();
    FilterRegistration.Dynamic filter = context.addFilter("rate-limit", RateLimitFilter.of(web));
    filter.setAsyncSupported(true);
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  @Test
  void filterIsRegisteredInCode() {
    try (TestServer server = new TestServer()) {
      server
          .context()
          .addServletContainerInitializer((classes, context) -> register(context), Set.of());
      server.servlet("/", TestServlets.text("hello", new AtomicInteger())).start();
      assertThat(server.get("/api/a").statusCode()).isEqualTo(200);
      assertThat(server.get("/api/b").statusCode()).isEqualTo(200);
      assertThat(server.get("/api/c").statusCode()).isEqualTo(429);
      assertThat(server.get("/api/c", "X-Api-Key", "k").statusCode()).isEqualTo(200);
      assertThat(server.get("/other").statusCode()).isEqualTo(200);
    }
  }
}
