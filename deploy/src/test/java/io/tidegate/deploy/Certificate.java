package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate and its key, in PEM. */
record Certificate(String certificate, String key) {

  private static final String PASSWORD = "password";

  /** Creates one with keytool, in a directory for its files. */
  static Certificate create(Path directory) {
    Path store = directory.resolve("keys.p12");
    Path output = directory.resolve("keytool.txt");
    try {
      Process keytool = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-alias",
              "node",
              "-keyalg",
              "EC",
              "-dname",
              "CN=node",
              "-storetype",
              "PKCS12",
              "-keystore",
              store.toString(),
              "-storepass",
              PASSWORD)
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
      assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(keytool.exitValue()).as(Files.readString(output)).isZero();
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      return new Certificate(
          pem("CERTIFICATE", keys.getCertificate("node").getEncoded()),
          pem("PRIVATE KEY", keys.getKey("node", PASSWORD.toCharArray()).getEncoded()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String pem(String type, byte[] content) {
    byte[] newline = {'\n'};
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, Base64.getMimeEncoder(64, newline).encodeToString(content), type);
  }
}
