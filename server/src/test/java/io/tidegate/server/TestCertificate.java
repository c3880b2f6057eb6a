package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for 127.0.0.1 and its key. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TestCertificate(X509Certificate certificate, byte[] key) {

  private static final char[] PASSWORD = "password".toCharArray();

  /** Creates one with keytool, in a directory for its files. */
  static TestCertificate create(Path directory, String name) {
    Path store = directory.resolve(name + ".p12");
    Path output = directory.resolve(name + ".txt");
    try {
      Process keytool = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-alias",
              "node",
              "-keyalg",
              "EC",
              "-dname",
              "CN=" + name,
              "-ext",
              "san=ip:127.0.0.1",
              "-validity",
              "10",
              "-storetype",
              "PKCS12",
              "-keystore",
              store.toString(),
              "-storepass",
              new String(PASSWORD))
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
      assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(keytool.exitValue()).as(Files.readString(output)).isZero();
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
      return new TestCertificate(
          (X509Certificate) keys.getCertificate("node"),
          keys.getKey("node", PASSWORD).getEncoded());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A context for clients that trust only these certificates. */
  static SSLContext trust(TestCertificate... certificates) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (TestCertificate trust : certificates) {
      trusted.setCertificateEntry("trusted-" + trusted.size(), trust.certificate);
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** Writes both in PEM. */
  void write(Path certificateFile, Path keyFile) throws Exception {
    write(certificateFile, "CERTIFICATE", certificate.getEncoded());
    write(keyFile, "PRIVATE KEY", key);
  }

  private static void write(Path file, String type, byte[] encoded) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(encoded), type));
  }
}
