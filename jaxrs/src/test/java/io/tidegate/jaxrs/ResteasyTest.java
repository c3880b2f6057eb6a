package io.tidegate.jaxrs;

import io.undertow.Undertow;
import jakarta.ws.rs.core.Application;
import java.net.InetSocketAddress;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;

/** RESTEasy in the servlet container of Undertow. */
class ResteasyTest extends JaxRsContract {

  private static final class Server extends UndertowJaxrsServer implements AutoCloseable {

    Server(Application application) {
      deploy(application, "/app");
      start(Undertow.builder().addHttpListener(0, "127.0.0.1"));
    }

    int port() {
      return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void close() {
      stop();
    }
  }

  @Override
  AutoCloseable start(Application application) {
    return new Server(application);
  }

  @Override
  void initialize(Application application) {
    start(application);
  }

  @Override
  int portOf(AutoCloseable server) {
    return ((Server) server).port();
  }
}
