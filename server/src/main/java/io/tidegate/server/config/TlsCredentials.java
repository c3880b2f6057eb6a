package io.tidegate.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Content of the certificate and key files at one moment. It is kept as bytes, so that the content
 * that was checked is the content that is served, even if the files change.
 */
public final class TlsCredentials {

  private final TlsConfig files;
  private final byte @Nullable [] certificate;
  private final byte @Nullable [] key;

  private TlsCredentials(TlsConfig files) {
    this.files = files;
    this.certificate = content(files.certificate());
    this.key = content(files.key());
  }

  /** Reads both files without checking them. */
  public static TlsCredentials read(TlsConfig files) {
    return new TlsCredentials(files);
  }

  /** Reads the same files again. */
  public TlsCredentials readAgain() {
    return new TlsCredentials(files);
  }

  /** The files that were read. */
  public TlsConfig files() {
    return files;
  }

  /** Returns the content of a file; null if it is not readable, which the check reports. */
  static byte @Nullable [] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Checks that the certificate can be served.
   *
   * @return the first certificate of the file, which is the one of the server itself
   * @throws IllegalArgumentException if it cannot, with the setting, the reason and the file
   */
  public X509Certificate check() {
    X509Certificate leaf;
    try {
      leaf = TlsFiles.certificate(certificate);
    } catch (IllegalArgumentException e) {
      throw rejected(Setting.TLS_CERTIFICATE, files.certificate(), e);
    }
    try {
      TlsFiles.key(key, leaf);
    } catch (IllegalArgumentException e) {
      throw rejected(Setting.TLS_KEY, files.key(), e);
    }
    return leaf;
  }

  private static IllegalArgumentException rejected(
      Setting setting, Path file, IllegalArgumentException reason) {
    return new IllegalArgumentException(
        setting.key() + " " + reason.getMessage() + ": " + SafeText.text(file.toString()), reason);
  }

  /** The certificate and its intermediate certificates in PEM. */
  public byte[] certificate() {
    return certificate == null ? new byte[0] : certificate.clone();
  }

  /** The private key in PEM. */
  public byte[] key() {
    return key == null ? new byte[0] : key.clone();
  }

  /** Whether both have the same content. */
  public boolean sameAs(TlsCredentials other) {
    return Arrays.equals(certificate, other.certificate) && Arrays.equals(key, other.key);
  }

  /** The name of the certificate file. */
  @Override
  public String toString() {
    return "TlsCredentials[" + files.certificate() + "]";
  }
}
