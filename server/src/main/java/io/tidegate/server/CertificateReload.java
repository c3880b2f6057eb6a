package io.tidegate.server;

import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.http.HttpListener;
import io.tidegate.server.log.Log;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Replaces the certificate of the ports for clients when its files change. The files are read every
 * ten seconds and compared by content, which detects every way to replace them, including a changed
 * symbolic link of a Kubernetes secret. An invalid certificate is logged, and the old one stays.
 *
 * <p>One thread of its own reads the files; {@link #reload} may be called by any thread.
 */
final class CertificateReload {

  /** Short, because it costs only two small reads. */
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final List<HttpListener> listeners;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> {
        Thread daemon = new Thread(work, "tidegate-certificate");
        daemon.setDaemon(true);
        return daemon;
      });

  /** The content that was read last, valid or not. Guarded by this. */
  private TlsCredentials latest;

  /**
   * Does not watch the files yet: see {@link #start}.
   *
   * @param served the credentials that the listeners start with
   */
  CertificateReload(TlsCredentials served, List<HttpListener> listeners) {
    this.latest = served;
    this.listeners = listeners;
  }

  /** Starts to watch the files. */
  @SuppressWarnings("FutureReturnValueIgnored") // close() ends the task, which catches exceptions
  void start() {
    thread.scheduleWithFixedDelay(
        this::reloadIfChanged, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void reloadIfChanged() {
    TlsCredentials current = latest.readAgain();
    if (!current.sameAs(latest)) {
      latest = current;
      replace(current);
    }
  }

  /** Reads the files and serves their content, changed or not. */
  synchronized void reload() {
    latest = latest.readAgain();
    replace(latest);
  }

  private void replace(TlsCredentials credentials) {
    try {
      X509Certificate certificate = credentials.check();
      for (HttpListener listener : listeners) {
        Await.result(listener.replaceCertificate(Adapters.keyCertOptions(credentials)));
      }
      Log.info(
          "reloaded the TLS certificate",
          "file",
          credentials.files().certificate(),
          "serial",
          certificate.getSerialNumber().toString(16),
          "expires",
          certificate.getNotAfter().toInstant());
    } catch (RuntimeException e) {
      Log.warn("the new TLS certificate is invalid; serving the old one", "reason", e.getMessage());
    }
  }

  void close() {
    thread.shutdownNow();
  }
}
