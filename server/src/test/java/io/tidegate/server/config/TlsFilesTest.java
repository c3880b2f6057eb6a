package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsFilesTest {

  private static final String PASSWORD = "password";

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource({"RSA, 2048", "RSA, 4096", "EC, 256", "EC, 521"})
  void keyIsValidInBothEncodings(String algorithm, int bits) throws Exception {
    create("one", algorithm, bits, 10);
    for (String key : List.of("one.key", "one.old.key")) {
      ServerConfig config = ServerConfig.of(flags("one.crt", key));
      assertThat(config.listen().tls().certificate()).isEqualTo(directory.resolve("one.crt"));
      assertThat(config.listen().tls().key()).isEqualTo(directory.resolve(key));
      assertThat(config.warnings()).isEmpty();
    }
  }

  @Test
  void keyOfAnotherCertificateIsRejected() throws Exception {
    create("one", "RSA", 2048, 10);
    create("same-kind", "RSA", 2048, 10);
    create("other-kind", "EC", 256, 10);
    for (String key :
        List.of("same-kind.key", "same-kind.old.key", "other-kind.key", "other-kind.old.key")) {
      assertThat(problems("one.crt", key))
          .containsExactly("tls-key must be the file of the private key of tls-certificate: "
              + SafeText.text(directory.resolve(key).toString())
              + " (--tls-key)");
    }
  }

  @Test
  void expiredCertificateGivesAWarning() throws Exception {
    create("old", "EC", 256, 1);
    assertThat(ServerConfig.of(flags("old.crt", "old.key")).warnings())
        .singleElement()
        .asString()
        .startsWith("tls-certificate expired on 20");
  }

  @Test
  void missingFilesAreReported() throws Exception {
    assertThat(problems("none.crt", "none.key"))
        .containsExactly("tls-certificate must be a readable file: "
            + SafeText.text(directory.resolve("none.crt").toString())
            + " (--tls-certificate)");
    create("one", "EC", 256, 10);
    assertThat(problems("one.crt", "none.key"))
        .singleElement()
        .asString()
        .startsWith("tls-key must be a readable file");
  }

  @Test
  void otherFilesAreRejected() throws Exception {
    create("one", "EC", 256, 10);
    Files.writeString(directory.resolve("empty"), "");
    Files.writeString(
        directory.resolve("broken"),
        "-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----\n");
    Files.writeString(
        directory.resolve("encrypted"),
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nbm90aGluZw==\n-----END ENCRYPTED PRIVATE KEY-----\n");
    for (String file : List.of("empty", "broken", "one.key")) {
      assertThat(problems(file, "one.key"))
          .singleElement()
          .asString()
          .startsWith("tls-certificate must be a PEM file with a certificate");
    }
    assertThat(problems("one.crt", "one.crt"))
        .singleElement()
        .asString()
        .startsWith("tls-key must be a PEM file with a private key");
    assertThat(problems("one.crt", "encrypted"))
        .singleElement()
        .asString()
        .startsWith("tls-key must be a PEM file with a key that is not encrypted");
  }

  @Test
  void certificateOfAnUnsupportedKeyIsRejected() throws Exception {
    create("one", "Ed25519", 0, 10);
    assertThat(problems("one.crt", "one.key"))
        .singleElement()
        .asString()
        .startsWith("tls-certificate must be a PEM file with a certificate of an RSA or EC key");
  }

  @Test
  void certificateNeedsItsKey() throws Exception {
    create("one", "EC", 256, 10);
    assertThat(catchThrowableOfType(
                ConfigException.class,
                () -> ServerConfig.of("--tls-certificate=" + directory.resolve("one.crt")))
            .problems())
        .singleElement()
        .asString()
        .startsWith("tls-certificate needs tls-key");
  }

  private String[] flags(String certificate, String key) {
    return new String[] {
      "--tls-certificate=" + directory.resolve(certificate), "--tls-key=" + directory.resolve(key)
    };
  }

  private List<String> problems(String certificate, String key) {
    return catchThrowableOfType(
            ConfigException.class, () -> ServerConfig.of(flags(certificate, key)))
        .problems();
  }

  /** Creates a certificate that is valid since nine days ago, and its key in both encodings. */
  private void create(String name, String algorithm, int bits, int days) throws Exception {
    Path store = directory.resolve(name + ".p12");
    ProcessBuilder keytool = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        "x",
        "-keyalg",
        algorithm,
        "-dname",
        "CN=localhost",
        "-startdate",
        "-9d",
        "-validity",
        Integer.toString(days),
        "-storetype",
        "PKCS12",
        "-keystore",
        store.toString(),
        "-storepass",
        PASSWORD);
    if (bits > 0) {
      keytool.command().addAll(List.of("-keysize", Integer.toString(bits)));
    }
    Process process = keytool
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("keytool.txt").toFile())
        .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(directory.resolve("keytool.txt")))
        .isZero();

    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    Key key = keys.getKey("x", PASSWORD.toCharArray());
    write(name + ".crt", "CERTIFICATE", keys.getCertificate("x").getEncoded());
    write(name + ".key", "PRIVATE KEY", key.getEncoded());
    write(name + ".old.key", algorithm + " PRIVATE KEY", content(key.getEncoded()));
  }

  /** The key itself, which follows the version and the algorithm. */
  private static byte[] content(byte[] encoded) {
    int at = header(encoded, 0); // the content of the sequence
    at += 3; // skips the version
    at += header(encoded, at) + encoded[at + 1]; // skips the algorithm, whose length is one byte
    return Arrays.copyOfRange(encoded, at + header(encoded, at), encoded.length);
  }

  private static int header(byte[] encoded, int at) {
    return encoded[at + 1] >= 0 ? 2 : 2 + (encoded[at + 1] & 0x7f);
  }

  private void write(String name, String type, byte[] encoded) throws Exception {
    Files.writeString(
        directory.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(encoded), type));
  }
}
