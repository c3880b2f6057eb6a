package io.tidegate.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.core.Application;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.servlet.ServletRegistration;
import org.glassfish.grizzly.servlet.WebappContext;
import org.glassfish.jersey.internal.Version;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;

/** Jersey in the servlet container of Grizzly. */
class JerseyTest extends JaxRsContract {

  /** Held here, because the JDK forgets the level of a logger that nothing refers to. */
  private static final Logger LOG = Logger.getLogger("org.glassfish");

  static {
    LOG.setLevel(Level.SEVERE);
  }

  private record Server(HttpServer http) implements AutoCloseable {

    @Override
    public void close() {
      http.shutdownNow();
    }
  }

  @Override
  AutoCloseable start(Application application) throws Exception {
    WebappContext context = new WebappContext("app", "/app");
    ServletRegistration servlet = context.addServlet(
        "jersey", new ServletContainer(ResourceConfig.forApplication(application)));
    servlet.addMapping("/*");
    servlet.setLoadOnStartup(1);
    HttpServer http = new HttpServer();
    http.addListener(new NetworkListener("http", "127.0.0.1", 0));
    context.deploy(http);
    http.start();
    return new Server(http);
  }

  /** Grizzly logs that an application does not start, and goes on without it. */
  @Override
  void initialize(Application application) {
    ApplicationHandler unused = new ApplicationHandler(application);
  }

  @Override
  int portOf(AutoCloseable server) {
    return ((Server) server).http().getListener("http").getPort();
  }

  @Test
  void runsOnTheJerseyThatTheBuildNames() {
    assertThat(Version.getVersion()).isEqualTo(System.getProperty("jersey.version"));
  }
}
