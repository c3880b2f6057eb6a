package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.Registration;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users, passwords, databases and TLS as set in the URI. */
class RedisAccessTest {

  private static final char[] STORE_PASSWORD = "changeit".toCharArray();

  @TempDir
  private Path folder;

  @Test
  void uriSetsUserPasswordAndDatabase() {
    try (RedisServer server = RedisServer.start()) {
      server.call("ACL", "SETUSER", "app", "on", ">p@ss:word", "~tidegate:*", "+@all");
      server.call("ACL", "SETUSER", "default", "resetkeys"); // only the user of the URI can write
      String uri = "redis://app:p%40ss%3Aword@127.0.0.1:" + server.port() + "/3";
      try (Nodes nodes = Nodes.connected(1, uri)) {
        assertThat(Nodes.take(nodes.get(0), "user", 10, 4).degraded()).isFalse();
        Nodes.await("the count to be confirmed", nodes::areConfirmed);
      }
      assertThat(server.call("INFO", "keyspace").get(0)).contains("db3:keys=");
    }
  }

  @Test
  void documentedPrivilegesSuffice() {
    try (RedisServer server = RedisServer.start()) {
      server.call(
          "ACL",
          "SETUSER",
          "app",
          "on",
          ">secret",
          "~tidegate:*",
          "+eval",
          "+evalsha",
          "+get",
          "+hgetall",
          "+hlen",
          "+hmget",
          "+hset",
          "+pexpire",
          "+set",
          "+time",
          "+zadd",
          "+zcard",
          "+zrem",
          "+zremrangebyscore");
      String uri = "redis://app:secret@127.0.0.1:" + server.port();
      try (RedisOrigin origin = RedisOrigin.connect(uri)) {
        assertThat(origin.identify("eu", "9f2c1k").toCompletableFuture().join()).contains("9f2c1k");
        WindowCell cell = new WindowCell(new Series(Nodes.SCOPE, "stored"), 1);
        origin
            .store("eu", List.of(new Component("us", cell, 7)))
            .toCompletableFuture()
            .join();
        assertThat(server.call("HGET", CellKey.of("eu", cell), ":from:us")).containsExactly("7");
        assertThat(origin.inspect("eu", cell).toCompletableFuture().join().components())
            .containsExactly(Map.entry("us", 7L));
        for (Duration lifetime : List.of(Duration.ofSeconds(3), Duration.ZERO)) {
          Registration reader = new Registration("ap", "9f2c1k", lifetime, true);
          assertThat(origin.register(reader).toCompletableFuture().join().newReader())
              .isEqualTo(!lifetime.isZero());
        }
      }
      try (Nodes nodes = Nodes.connected(1, uri)) {
        assertThat(Nodes.take(nodes.get(0), "user", 10, 4).degraded()).isFalse();
        Nodes.await("the count to be confirmed", nodes::areConfirmed);
        assertThat(Nodes.total(server, "user")).isEqualTo(4);
        Nodes.await("the registration", () -> nodes.get(0).stats().liveNodes() == 1);
      }
    }
  }

  @Test
  void passwordIsNotLogged() {
    try (LogCapture log = new LogCapture("io.tidegate");
        RedisServer server = RedisServer.start("--requirepass", "right")) {
      String uri = "redis://:mysecret@127.0.0.1:" + server.port();
      // Lettuce sometimes reports that the connection was closed instead of the reason.
      Nodes.await("the reason to be logged", () -> {
        try (RateLimiter node =
            RateLimiter.builder().origin(RedisOrigin.connect(uri)).build()) {
          assertThat(Nodes.take(node, "user", 10, 1).degraded()).isTrue();
        }
        return log.lines.toString().contains("WRONGPASS");
      });
      assertThat(log.lines.toString())
          .contains("127.0.0.1:" + server.port())
          .doesNotContain("mysecret");
    }
  }

  @Test
  void uriSelectsTls() throws Exception {
    KeyStore store = createCertificate();
    Path key =
        writePem("key.pem", "PRIVATE KEY", store.getKey("redis", STORE_PASSWORD).getEncoded());
    Path certificate =
        writePem("certificate.pem", "CERTIFICATE", store.getCertificate("redis").getEncoded());
    int port = freePort();
    try (RedisServer server = RedisServer.start(
        "--tls-port", Integer.toString(port),
        "--tls-cert-file", certificate.toString(),
        "--tls-key-file", key.toString(),
        "--tls-auth-clients", "no")) {
      String uri = "rediss://localhost:" + port;
      try (Nodes nodes = Nodes.connected(1, uri)) { // the certificate is not trusted
        assertThat(Nodes.take(nodes.get(0), "user", 10, 4).degraded()).isTrue();
      }
      assertThat(server.call("DBSIZE")).containsExactly("0");
      System.setProperty("javax.net.ssl.trustStore", folder.resolve("store.p12").toString());
      System.setProperty("javax.net.ssl.trustStorePassword", new String(STORE_PASSWORD));
      try (Nodes nodes = Nodes.connected(1, uri)) {
        assertThat(Nodes.take(nodes.get(0), "user", 10, 4).degraded()).isFalse();
        Nodes.await("the count to be confirmed", nodes::areConfirmed);
        assertThat(Nodes.total(server, "user")).isEqualTo(4);
      } finally {
        System.clearProperty("javax.net.ssl.trustStore");
        System.clearProperty("javax.net.ssl.trustStorePassword");
      }
    }
  }

  private KeyStore createCertificate() throws Exception {
    Path file = folder.resolve("store.p12");
    List<String> command = List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "redis",
        "-keyalg",
        "RSA",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-validity",
        "2",
        "-storetype",
        "PKCS12",
        "-keystore",
        file.toString(),
        "-storepass",
        new String(STORE_PASSWORD));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, STORE_PASSWORD);
    }
    return store;
  }

  private Path writePem(String name, String type, byte[] content) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
