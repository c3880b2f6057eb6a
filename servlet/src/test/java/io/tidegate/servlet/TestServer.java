package io.tidegate.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A real Tomcat on a free port, with a client. */
final class TestServer implements AutoCloseable {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Held here, because the JDK forgets the level of a logger that nothing refers to. */
  private static final Logger LOG = Logger.getLogger("org.apache");

  static {
    LOG.setLevel(Level.SEVERE); // Tomcat logs each start and stop with many lines
  }

  private final Tomcat tomcat = new Tomcat();
  private final Context context;

  TestServer() {
    this("");
  }

  TestServer(String contextPath) {
    Path directory = temporaryDirectory();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat
        .getConnector()
        .setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
    context = tomcat.addContext(contextPath, directory.toString());
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("tomcat");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Connector connector() {
    return tomcat.getConnector();
  }

  Context context() {
    return context;
  }

  TestServer filter(Filter filter, DispatcherType... types) {
    return filter(filter, true, types);
  }

  TestServer filter(Filter filter, boolean asyncSupported, DispatcherType... types) {
    String name = "filter" + context.findFilterDefs().length;
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported(Boolean.toString(asyncSupported));
    context.addFilterDef(definition);
    FilterMap mapping = new FilterMap();
    mapping.setFilterName(name);
    mapping.addURLPattern("/*");
    for (DispatcherType type : types) {
      mapping.setDispatcher(type.name());
    }
    context.addFilterMap(mapping);
    return this;
  }

  TestServer servlet(String pattern, HttpServlet servlet) {
    Wrapper wrapper = Tomcat.addServlet(context, "servlet" + pattern, servlet);
    wrapper.setAsyncSupported(true);
    context.addServletMappingDecoded(pattern, wrapper.getName());
    return this;
  }

  TestServer errorPage(int status, String path) {
    ErrorPage page = new ErrorPage();
    page.setErrorCode(status);
    page.setLocation(path);
    context.addErrorPage(page);
    return this;
  }

  TestServer start() {
    try {
      tomcat.start();
      return this;
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return tomcat.getConnector().getLocalPort();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
  }

  HttpResponse<String> get(String path, String... headers) {
    try {
      HttpRequest.Builder request = request(path);
      if (headers.length > 0) {
        request.headers(headers);
      }
      return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  CompletableFuture<HttpResponse<String>> getLater(String path) {
    return CLIENT.sendAsync(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }
}
