package io.tidegate.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The certificate and key of the public port as their files contain them at one moment. Both are
 * kept as bytes, so that what was checked is what is served, whatever happens to the files.
 */
public final class TlsCredentials {

  private final Path certificateFile;
  private final Path keyFile;
  private final byte @Nullable [] certificate;
  private final byte @Nullable [] key;

  private TlsCredentials(Path certificateFile, Path keyFile) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    this.certificate = content(certificateFile);
    this.key = content(keyFile);
  }

  /** Reads both files, without checking them. */
  public static TlsCredentials read(Path certificateFile, Path keyFile) {
    return new TlsCredentials(certificateFile, keyFile);
  }

  /** Null if the file cannot be read, which the check of the content then reports. */
  static byte @Nullable [] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Checks that they can be served.
   *
   * @return the certificate of the server itself, the first of the file
   * @throws IllegalArgumentException if they cannot, with the setting, the reason and the file
   */
  public X509Certificate check() {
    X509Certificate leaf;
    try {
      leaf = TlsFiles.certificate(certificate);
    } catch (IllegalArgumentException e) {
      throw refused(Setting.TLS_CERTIFICATE, certificateFile, e);
    }
    try {
      TlsFiles.key(key, leaf);
    } catch (IllegalArgumentException e) {
      throw refused(Setting.TLS_KEY, keyFile, e);
    }
    return leaf;
  }

  private static IllegalArgumentException refused(
      Setting setting, Path file, IllegalArgumentException reason) {
    return new IllegalArgumentException(
        setting.key() + " " + reason.getMessage() + ": " + Shown.text(file.toString()), reason);
  }

  /** The certificate and its intermediate certificates in PEM. */
  public byte[] certificate() {
    return certificate == null ? new byte[0] : certificate.clone();
  }

  /** The private key in PEM. */
  public byte[] key() {
    return key == null ? new byte[0] : key.clone();
  }

  /** Whether the files contained the same. */
  public boolean sameAs(TlsCredentials other) {
    return Arrays.equals(certificate, other.certificate) && Arrays.equals(key, other.key);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "TlsCredentials[" + certificateFile + "]";
  }
}
