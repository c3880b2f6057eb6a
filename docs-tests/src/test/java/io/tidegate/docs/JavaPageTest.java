package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.servlet.RateLimitFilter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the examples of docs/java.md. */
class JavaPageTest {

  /** The imports that the page leaves out. */
  private static final List<String> IMPORTS = List.of(
      "io.grpc.*",
      "io.tidegate.*",
      "io.tidegate.grpc.*",
      "io.tidegate.jaxrs.*",
      "io.tidegate.micrometer.*",
      "io.tidegate.model.*",
      "io.tidegate.rules.*",
      "io.tidegate.rules.web.*",
      "io.tidegate.servlet.*",
      "io.micrometer.core.instrument.MeterRegistry",
      "jakarta.servlet.*",
      "jakarta.servlet.http.*",
      "jakarta.ws.rs.*",
      "java.time.*",
      "java.util.*",
      "java.util.function.*",
      "org.glassfish.jersey.server.ResourceConfig");

  private static final String STOPPED =
      "RateLimiter.builder().clock(InstantSource.fixed(Instant.now())).build()";

  /** A method of a gRPC service, without generated code. */
  private static final MethodDescriptor<byte[], byte[]> LIST =
      MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("example.Users/List")
          .build();

  private static final ServerServiceDefinition ECHO = ServerServiceDefinition.builder(
          "example.Users")
      .addMethod(LIST, ServerCalls.asyncUnaryCall((request, response) -> {
        response.onNext(request);
        response.onCompleted();
      }))
      .build();

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @TempDir
  private Path folder;

  private Page page;

  @BeforeEach
  void read() throws IOException {
    page = Page.read("java.md");
  }

  /**
   * Compiles statements into a function of the variable that they use and do not declare. The clock
   * of the limiter is stopped, so that counts are exact at the end of a minute too.
   */
  @SuppressWarnings("unchecked")
  private <T, R> Function<T, R> function(String type, String variable, String code, String result)
      throws Exception {
    String source = """
        public class Statements implements Function<%s, Object> {
          public Object apply(%s %s) {
            try {
              %s
              return %s;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }
        }
        """.formatted(
            type, type, variable, code.replace("RateLimiter.inMemory()", STOPPED), result);
    Path target = Files.createTempDirectory(folder, "example");
    Compiled compiled = Compiled.of(IMPORTS, source, target);
    return (Function<T, R>) compiled.type("Statements").getDeclaredConstructor().newInstance();
  }

  private static String only(List<String> blocks) {
    assertThat(blocks).hasSize(1);
    return blocks.get(0);
  }

  /** Runs a test against a Tomcat with a servlet that answers with the attribute "left". */
  private void withTomcat(
      Consumer<ServletContext> initializer,
      Function<HttpServletRequest, String> answer,
      Consumer<Http> test)
      throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", folder.toString());
    context.addServletContainerInitializer(
        (classes, servlets) -> initializer.accept(servlets), Set.of());
    Tomcat.addServlet(context, "answer", new HttpServlet() {
      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response)
          throws IOException {
        response.getWriter().print(answer.apply(request));
      }
    });
    context.addServletMappingDecoded("/*", "answer");
    tomcat.start();
    try {
      test.accept(new Http(tomcat.getConnector().getLocalPort()));
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Test
  void aServletApplicationIsLimited() throws Exception {
    String register = only(page.section("Limit a servlet application").blocks("java"));
    Function<ServletContext, Object> filter =
        function("ServletContext", "servletContext", register, "filter");
    String attribute = only(page.section("Servlet").blocks("java"));
    Function<HttpServletRequest, String> left =
        function("HttpServletRequest", "request", attribute, "left");
    withTomcat(filter::apply, left, http -> {
      HttpResponse<String> first = http.send("GET", "/api/users", "X-Api-Key", "one");
      assertThat(first.body()).isEqualTo("99 left");
      assertThat(http.statuses(149, "GET", "/api/users", "X-Api-Key", "one"))
          .isEqualTo(Map.of(200, 99, 429, 50));
      assertThat(http.send("GET", "/other").body()).isEqualTo("not limited");
      assertThat(http.send("GET", "/api", "X-Api-Key", "one").headers().map())
          .containsKeys("Retry-After", "RateLimit", "RateLimit-Policy")
          .containsEntry("Content-Type", List.of("application/problem+json"));
    });
  }

  @Test
  void rulesLimitAsTheyAreDescribed() throws Exception {
    String rules = only(page.section("Rules").blocks("java"));
    Function<Set<String>, WebLimiter> limits = function("Set<String>", "premium", rules, "limits");
    RateLimitFilter filter = RateLimitFilter.of(limits.apply(Set.of("gold")));
    Consumer<ServletContext> register =
        context -> context.addFilter("limits", filter).addMappingForUrlPatterns(null, false, "/*");
    withTomcat(register, request -> "", http -> {
      assertThat(http.statuses(8, "POST", "/login")).isEqualTo(Map.of(200, 5, 429, 3));
      assertThat(http.statuses(8, "GET", "/login")).isEqualTo(Map.of(200, 8));
      assertThat(http.statuses(60, "POST", "/reports/7", "X-Api-Key", "one"))
          .as("at a cost of 20")
          .isEqualTo(Map.of(200, 50, 429, 10));
      assertThat(http.statuses(60, "POST", "/reports/7", "X-Api-Key", "gold"))
          .isEqualTo(Map.of(200, 60));
      assertThat(http.statuses(3, "GET", "/reports/7"))
          .as("without a key")
          .isEqualTo(Map.of(403, 3));
      assertThat(http.statuses(3, "GET", "/reports/7", "X-Internal", "1"))
          .isEqualTo(Map.of(200, 3));
      assertThat(http.statuses(70, "GET", "/any")).as("a shadow rule").isEqualTo(Map.of(200, 70));
    });
  }

  @Test
  void aJaxRsApplicationIsLimited() throws Exception {
    List<String> blocks = page.section("JAX-RS").blocks("java");
    assertThat(blocks).hasSize(2);
    Function<ResourceConfig, ResourceConfig> register =
        function("ResourceConfig", "resourceConfig", blocks.get(0), "resourceConfig");
    Path target = Files.createTempDirectory(folder, "resource");
    try (Compiled resource = Compiled.of(IMPORTS, blocks.get(1), target)) {
      ResourceConfig config = new ResourceConfig().register(resource.type("Users"));
      ServletContainer jersey = new ServletContainer(register.apply(config));
      Consumer<ServletContext> servlet =
          context -> context.addServlet("jersey", jersey).addMapping("/rest/*");
      withTomcat(servlet, request -> "", http -> {
        assertThat(http.statuses(8, "POST", "/rest/users", "X-Api-Key", "one"))
            .isEqualTo(Map.of(200, 3, 429, 5));
        assertThat(http.statuses(150, "GET", "/rest/users"))
            .as("3 of 100 were for the exports")
            .isEqualTo(Map.of(200, 97, 429, 53));
      });
    }
  }

  @Test
  void aGrpcServerAndItsClientAreLimited() throws Exception {
    List<String> blocks = page.section("gRPC").blocks("java");
    assertThat(blocks).hasSize(2);
    Function<ServerServiceDefinition, Server> start = function(
        "ServerServiceDefinition", "service", blocks.get(0).replace("9090", "0"), "server");
    Function<Channel, Channel> delay = function("Channel", "channel", blocks.get(1), "payments");
    Server server = start.apply(ECHO);
    ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", server.getPort())
        .usePlaintext()
        .build();
    try {
      Channel client = delay.apply(channel);
      assertThat(codes(client, 50)).isEqualTo(Map.of(Status.Code.OK, 50));
      assertThat(codes(channel, 70))
          .isEqualTo(Map.of(Status.Code.OK, 50, Status.Code.RESOURCE_EXHAUSTED, 20));
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }

  private static Map<Status.Code, Integer> codes(Channel channel, int calls) {
    Map<Status.Code, Integer> codes = new TreeMap<>();
    for (int i = 0; i < calls; i++) {
      Status.Code code = Status.Code.OK;
      try {
        ClientCalls.blockingUnaryCall(channel, LIST, CallOptions.DEFAULT, new byte[0]);
      } catch (StatusRuntimeException e) {
        code = e.getStatus().getCode();
      }
      codes.merge(code, 1, Integer::sum);
    }
    return codes;
  }

  @Test
  void metricsAreRegistered() throws Exception {
    String register = only(page.section("Metrics").blocks("java"));
    Function<MeterRegistry, RateLimiter> metered =
        function("MeterRegistry", "registry", register, "limiter");
    MeterRegistry registry = new SimpleMeterRegistry();
    metered.apply(registry).tryAcquire(LimitRequest.of("a", "b", "c", Limit.perMinute(1)));
    assertThat(registry.getMeters())
        .anySatisfy(meter -> assertThat(meter.getId().getName()).endsWith("series"))
        .anySatisfy(meter -> assertThat(meter.getId().getTag("namespace")).isEqualTo("b"));
  }
}
