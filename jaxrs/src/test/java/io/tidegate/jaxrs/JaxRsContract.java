package io.tidegate.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.MissingKey;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filters in a real server of a JAX-RS implementation; the application is below /app. */
abstract class JaxRsContract {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final RateLimiter limiter = RateLimiter.inMemory();
  private AutoCloseable server = () -> {};
  private int port;

  /** Starts a server. */
  abstract AutoCloseable start(Application application) throws Exception;

  /** Prepares an application for requests, as a server does when it starts. */
  abstract void initialize(Application application) throws Exception;

  /** The port of a server. */
  abstract int portOf(AutoCloseable server);

  @AfterEach
  void stop() throws Exception {
    server.close();
    limiter.close();
  }

  /** A resource by path. */
  @Path("plain")
  public static class Plain {

    @GET
    public String get() {
      return "plain";
    }

    @GET
    @Path("{id}")
    public String item(@PathParam("id") String id) {
      return id;
    }

    @GET
    @Path("fail")
    public String fail() {
      throw new IllegalStateException("on purpose");
    }
  }

  /** A contract with annotations. */
  @Path("bound")
  @RateLimited("class")
  public interface BoundContract {

    @GET
    String get();

    @POST
    @RateLimited("method")
    String post();
  }

  /** A resource whose annotations are on its interface. */
  public static class Bound implements BoundContract {

    @Override
    public String get() {
      return "get";
    }

    @Override
    public String post() {
      return "post";
    }
  }

  /** A resource with a name that no rule has. */
  @Path("typo")
  public static class Typo {

    @GET
    @RateLimited("metod")
    public String get() {
      return "";
    }
  }

  /** Authenticates by a header. */
  @Priority(Priorities.AUTHENTICATION)
  public static class Authentication implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext context) {
      String user = context.getHeaderString("X-User");
      SecurityContext before = context.getSecurityContext();
      context.setSecurityContext(new SecurityContext() {
        @Override
        public Principal getUserPrincipal() {
          return user == null ? null : () -> user;
        }

        @Override
        public boolean isUserInRole(String role) {
          return false;
        }

        @Override
        public boolean isSecure() {
          return before != null && before.isSecure();
        }

        @Override
        public String getAuthenticationScheme() {
          return "header";
        }
      });
    }
  }

  /** Notes the decision that resources find. */
  @Priority(Priorities.USER)
  public static class Recorder implements ContainerRequestFilter {

    static final List<Object> SEEN = new ArrayList<>();

    @Override
    public void filter(ContainerRequestContext context) {
      SEEN.add(context.getProperty(RateLimitFeature.WEB_DECISION));
      SEEN.add(context.getProperty(RateLimitFeature.DECISION));
    }
  }

  private WebLimiter limiter(WebRule... rules) {
    return WebLimiter.builder(limiter).rules(rules).build();
  }

  private static WebRule.Builder perDay(String name, long limit) {
    return WebRule.named(name).key(KeyFunction.constant("all")).limit(Limit.perDay(limit));
  }

  private void start(RateLimitFeature feature, Class<?>... classes) throws Exception {
    server = start(application(feature, classes));
    port = portOf(server);
  }

  private static Application application(RateLimitFeature feature, Class<?>... classes) {
    return new Application() {
      @Override
      public Set<Class<?>> getClasses() {
        return Set.of(classes);
      }

      @Override
      @SuppressWarnings("deprecation") // the only way to register an object in all implementations
      public Set<Object> getSingletons() {
        return Set.of(feature);
      }
    };
  }

  private HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port + "/app" + path))
        .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    return send("GET", path, headers);
  }

  @Test
  void allowsUpToTheLimitThenAnswers429WithAProblem() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 1).path("/plain").build())), Plain.class);
    HttpResponse<String> first = get("/plain");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("plain");
    assertThat(first.headers().allValues("RateLimit-Policy"))
        .containsExactly("\"api\";q=1;w=86400");
    HttpResponse<String> second = get("/plain");
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(second.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/problem+json");
    assertThat(second.headers().allValues("RateLimit-Policy"))
        .containsExactly("\"api\";q=1;w=86400");
    assertThat(second.headers().allValues("Retry-After")).hasSize(1);
    assertThat(second.body()).startsWith("{\"type\":").contains("\"violated-policies\":[\"api\"]");
  }

  @Test
  void requestWithoutARequiredKeyIsForbidden() throws Exception {
    WebRule rule = perDay("key", 5)
        .key(KeyFunction.cookie("session"))
        .missingKey(MissingKey.DENY)
        .build();
    start(RateLimitFeature.of(limiter(rule)), Plain.class);
    assertThat(get("/plain").statusCode()).isEqualTo(403);
    assertThat(get("/plain", "Cookie", "session=s1").statusCode()).isEqualTo(200);
  }

  @Test
  void exactlyTheLimitIsAllowedTo50Threads() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 700).build())), Plain.class);
    ExecutorService threads = Executors.newFixedThreadPool(50);
    List<Future<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(threads.submit(() -> {
        int allowed = 0;
        for (int each : IntStream.range(0, 20).toArray()) {
          int status = get("/plain/" + each).statusCode();
          assertThat(status).isIn(200, 429);
          allowed += status == 200 ? 1 : 0;
        }
        return allowed;
      }));
    }
    int allowed = 0;
    for (Future<Integer> answer : answers) {
      allowed += answer.get();
    }
    threads.shutdown();
    assertThat(allowed).isEqualTo(700);
  }

  @Test
  void responseOfAnExceptionHasHeadersAndIsChargedOnce() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 10).build())), Plain.class);
    get("/plain/fail");
    assertThat(get("/plain").headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"api\";r=8;");
  }

  @Test
  void requestForAnUnknownPathIsLimitedOnlyBeforeMatching() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 1).build())), Plain.class);
    assertThat(get("/unknown").statusCode()).isEqualTo(404);
    assertThat(get("/unknown").statusCode()).isEqualTo(404);
  }

  @Test
  void beforeMatchingLimitsUnknownPathsToo() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 1).build())).beforeMatching(), Plain.class);
    assertThat(get("/unknown").statusCode()).isEqualTo(404);
    HttpResponse<String> denied = get("/plain");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().allValues("RateLimit-Policy")).hasSize(1);
  }

  @Test
  void annotationsOfClassAndMethodApplyTogetherWithRulesByPath() throws Exception {
    WebLimiter web = limiter(
        perDay("path", 10).build(),
        perDay("class", 3).build(),
        perDay("method", 1).build());
    start(RateLimitFeature.of(web).byAnnotation("class", "method"), Plain.class, Bound.class);
    assertThat(get("/plain").headers().allValues("RateLimit-Policy"))
        .containsExactly("\"path\";q=10;w=86400");
    assertThat(get("/bound").headers().allValues("RateLimit-Policy"))
        .containsExactly("\"path\";q=10;w=86400, \"class\";q=3;w=86400");
    assertThat(send("POST", "/bound").headers().allValues("RateLimit-Policy"))
        .containsExactly("\"path\";q=10;w=86400, \"class\";q=3;w=86400, \"method\";q=1;w=86400");
    HttpResponse<String> denied = send("POST", "/bound");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.body()).contains("\"violated-policies\":[\"method\"]");
    assertThat(get("/bound").statusCode()).isEqualTo(200); // the denial charged no rule
    assertThat(get("/bound").statusCode()).isEqualTo(429);
    assertThat(get("/plain").statusCode()).isEqualTo(200);
  }

  @Test
  void rulesBeforeAndAfterMatchingShowBoth() throws Exception {
    WebLimiter web = limiter(
        perDay("path", 10).build(),
        perDay("class", 3).build(),
        perDay("method", 1).build());
    start(RateLimitFeature.of(web).byAnnotation("class", "method").beforeMatching(), Bound.class);
    assertThat(get("/bound").headers().allValues("RateLimit-Policy"))
        .containsExactlyInAnyOrder("\"path\";q=10;w=86400", "\"class\";q=3;w=86400");
  }

  @Test
  void annotationWithAnUnknownNameFailsTheStart() {
    WebLimiter web = limiter(perDay("method", 1).build());
    RateLimitFeature feature = RateLimitFeature.of(web).byAnnotation("method");
    assertThatThrownBy(() -> initialize(application(feature, Typo.class)))
        .satisfies(failure -> assertThat(messages(failure))
            .contains("Typo.get() names [metod], but rules by annotation are [method]"));
  }

  private static String messages(Throwable failure) {
    return failure == null ? "" : failure.getMessage() + "\n" + messages(failure.getCause());
  }

  @Test
  void unknownNameForAnnotationsIsRejected() {
    RateLimitFeature feature = RateLimitFeature.of(limiter(perDay("method", 1).build()));
    assertThatThrownBy(() -> feature.byAnnotation("metod"))
        .hasMessage("no rule has the name [metod]; names of rules: [method]");
  }

  @Test
  void principalIsThatOfTheAuthenticationFilter() throws Exception {
    WebRule rule = perDay("user", 1).key(KeyFunction.principal()).build();
    start(RateLimitFeature.of(limiter(rule)), Plain.class, Authentication.class);
    assertThat(get("/plain", "X-User", "ann").statusCode()).isEqualTo(200);
    assertThat(get("/plain", "X-User", "ann").statusCode()).isEqualTo(429);
    assertThat(get("/plain", "X-User", "bob").statusCode()).isEqualTo(200);
    assertThat(get("/plain").statusCode()).isEqualTo(200); // shared by those without a name
    assertThat(get("/plain").statusCode()).isEqualTo(429);
  }

  @Test
  void decisionsArePropertiesOfTheRequest() throws Exception {
    Recorder.SEEN.clear();
    start(RateLimitFeature.of(limiter(perDay("api", 7).build())), Plain.class, Recorder.class);
    get("/plain");
    assertThat(((WebDecision) Recorder.SEEN.get(0)).decisions()).hasSize(1);
    assertThat(((Decision) Recorder.SEEN.get(1)).limit()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "/plain, /plain",
    "/plain/, /plain/",
    "/plain;v=1, /plain",
    "/plain/a%20b, /plain/a b",
    "/plain/a;x=1, /plain/a",
    "/plain/%C3%A9, /plain/é",
    "/plain/a%3Bb, /plain/a;b",
    "/plain?x=/other, /plain"
  })
  void pathIsThatWhichResourcesAreMatchedBy(String sent, String path) throws Exception {
    List<String> seen = new ArrayList<>();
    WebRule rule = perDay("seen", 10)
        .key(request -> {
          seen.add(request.path());
          seen.add(request.method());
          seen.add(request.unwrap(ContainerRequestContext.class).getMethod());
          return "all";
        })
        .build();
    start(RateLimitFeature.of(limiter(rule)), Plain.class);
    assertThat(raw("GET /app" + sent + " HTTP/1.1")).startsWith("HTTP/1.1 200");
    assertThat(seen.get(0).replaceAll("/$", "")).isEqualTo(path.replaceAll("/$", ""));
    assertThat(seen.subList(1, 3)).containsExactly("GET", "GET");
  }

  /** The resource sees one segment, so the rule must see one too. */
  @Test
  void encodedSlashDoesNotEvadeALimit() throws Exception {
    start(RateLimitFeature.of(limiter(perDay("item", 0).path("/plain/{id}").build())), Plain.class);
    assertThat(raw("GET /app/plain/a HTTP/1.1")).startsWith("HTTP/1.1 429");
    assertThat(raw("GET /app/plain/a%2Fb HTTP/1.1")).doesNotStartWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @CsvSource({"/app//plain", "/app/plain//", "/app/./plain", "/app/x/../plain", "/app/%70lain"})
  void otherFormsOfAPathDoNotEvadeALimit(String path) throws Exception {
    start(RateLimitFeature.of(limiter(perDay("api", 0).path("/plain").build())), Plain.class);
    assertThat(raw("GET " + path + " HTTP/1.1")).doesNotStartWith("HTTP/1.1 200");
  }

  private String raw(String requestLine) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write((requestLine + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void addressIsThatOfTheServletContainer() throws Exception {
    List<String> seen = new ArrayList<>();
    WebRule rule = perDay("seen", 10)
        .key(request -> {
          seen.add(request.remoteAddress());
          return "all";
        })
        .build();
    start(RateLimitFeature.of(limiter(rule)).inServletContainer(), Plain.class);
    assertThat(get("/plain").statusCode()).isEqualTo(200);
    assertThat(seen).containsExactly("127.0.0.1");
  }

  @Test
  void addressIsThatOfTheFunctionOfTheApplication() throws Exception {
    WebRule rule = WebRule.named("address").limit(Limit.perDay(1)).build();
    RateLimitFeature feature = RateLimitFeature.of(limiter(rule))
        .remoteAddress(context -> context.getHeaderString("X-Address"));
    start(feature, Plain.class);
    assertThat(get("/plain", "X-Address", "192.0.2.1").statusCode()).isEqualTo(200);
    assertThat(get("/plain", "X-Address", "192.0.2.2").statusCode()).isEqualTo(200);
    assertThat(get("/plain", "X-Address", "192.0.2.1").statusCode()).isEqualTo(429);
  }

  @Test
  void withoutAnAddressAllClientsShareACount() throws Exception {
    WebRule rule = WebRule.named("address").limit(Limit.perDay(1)).build();
    start(RateLimitFeature.of(limiter(rule)), Plain.class);
    assertThat(get("/plain").statusCode()).isEqualTo(200);
    assertThat(get("/plain").statusCode()).isEqualTo(429);
  }
}
