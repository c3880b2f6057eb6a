package io.tidegate.server;

import io.tidegate.server.config.ListenConfig.Address;
import io.tidegate.server.log.RootCause;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Opens ports, with errors that name the settings. */
final class Ports {

  private Ports() {}

  /**
   * Fails if a port is in use, without opening it. The public port opens after the catalog was
   * read, and reading an empty catalog creates a root key, which a start that is bound to fail must
   * not do.
   *
   * @param settings prefix of the settings that have the address: "http", "admin" or "gateway"
   */
  static void checkFree(String settings, Address address) {
    try (Socket probe = new Socket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address.host(), address.port())); // no client can connect
    } catch (IOException e) {
      throw cannotListen(settings, address, e);
    }
  }

  /**
   * Waits until a port is open.
   *
   * @param settings prefix of the settings that have the address: "http", "admin" or "gateway"
   */
  static <T> T await(String settings, Address address, Future<T> listening) {
    try {
      return Await.result(listening);
    } catch (ServerException e) {
      throw cannotListen(settings, address, e);
    }
  }

  private static ServerException cannotListen(String settings, Address address, Exception e) {
    return new ServerException(
        "cannot listen on %s:%d (%s-host, %s-port): %s"
            .formatted(address.host(), address.port(), settings, settings, RootCause.message(e)),
        e);
  }
}
