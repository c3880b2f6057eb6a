package io.tidegate.server;

import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.http.PublicServer;
import io.tidegate.server.log.Log;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Replaces the certificate of the public port when its files change. The files are read again every
 * ten seconds and compared by content: that notices every way to replace them, a changed symbolic
 * link of a Kubernetes secret included. A certificate that cannot be used is logged, and the old
 * one stays.
 */
final class CertificateReload {

  /** Two small reads: cheap enough to be prompt. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Path certificateFile;
  private final Path keyFile;
  private final PublicServer server;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> {
        Thread daemon = new Thread(work, "tidegate-certificate");
        daemon.setDaemon(true);
        return daemon;
      });

  /** What was read last, served or refused. */
  private TlsCredentials seen;

  /**
   * Watches nothing yet.
   *
   * @param served what the server begins with
   */
  CertificateReload(
      Path certificateFile, Path keyFile, TlsCredentials served, PublicServer server) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    this.seen = served;
    this.server = server;
  }

  /** Begins to look at the files. */
  void start() {
    thread.scheduleWithFixedDelay(
        this::reloadIfChanged, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void reloadIfChanged() {
    TlsCredentials now = TlsCredentials.read(certificateFile, keyFile);
    if (!now.sameAs(seen)) {
      seen = now;
      replace(now);
    }
  }

  /** Reads the files and serves what they contain, changed or not. */
  synchronized void reload() {
    seen = TlsCredentials.read(certificateFile, keyFile);
    replace(seen);
  }

  private void replace(TlsCredentials credentials) {
    try {
      X509Certificate certificate = credentials.check();
      Server.await(server.replaceCertificate(Adapters.keyCertOptions(credentials)));
      Log.info(
          "serving the TLS certificate of tls-certificate as it is now",
          "file",
          certificateFile,
          "serial",
          certificate.getSerialNumber().toString(16),
          "expires",
          certificate.getNotAfter().toInstant());
    } catch (RuntimeException e) {
      Log.warn(
          "the new TLS certificate cannot be used; serving the old one", "reason", e.getMessage());
    }
  }

  void close() {
    thread.shutdownNow();
  }
}
