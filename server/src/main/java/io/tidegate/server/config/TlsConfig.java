package io.tidegate.server.config;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * PEM files of the API's certificate.
 *
 * @param certificate the certificate, followed by its intermediate certificates
 * @param key the private key of the certificate
 */
public record TlsConfig(Path certificate, Path key) {

  static @Nullable TlsConfig read(Settings settings) {
    settings.require(Setting.TLS_CERTIFICATE, Setting.TLS_KEY);
    settings.require(Setting.TLS_KEY, Setting.TLS_CERTIFICATE);
    settings.file(Setting.TLS_CERTIFICATE, TlsConfig::certificate).ifPresent(certificate -> {
      Instant expiry = certificate.getNotAfter().toInstant();
      if (Instant.now().isAfter(expiry)) {
        settings.warn("tls-certificate expired on " + expiry);
      }
      settings.file(
          Setting.TLS_KEY, file -> TlsFiles.key(TlsCredentials.content(file), certificate));
    });
    Path certificate = settings.path(Setting.TLS_CERTIFICATE).orElse(null);
    Path key = settings.path(Setting.TLS_KEY).orElse(null);
    return certificate == null || key == null ? null : new TlsConfig(certificate, key);
  }

  private static X509Certificate certificate(Path file) {
    return TlsFiles.certificate(TlsCredentials.content(file));
  }
}
