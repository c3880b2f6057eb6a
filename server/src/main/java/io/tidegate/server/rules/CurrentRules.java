package io.tidegate.server.rules;

import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.log.Log;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The rules of a node, which follow their files.
 *
 * <p>The files are read every half second and compared by content, which detects every way to
 * replace them, including a changed symbolic link of a Kubernetes ConfigMap. A change is loaded
 * when two reads in a row have found the same content, so that files are not loaded while they are
 * being written. If the new files have an error, it is logged once, and the old rules stay in use.
 *
 * <p>One thread of its own reads the files. {@link #current} and {@link #reload} may be called by
 * any thread.
 */
public final class CurrentRules {

  /**
   * A change takes effect within two intervals. A read of 8 MB takes 6 ms, of usual files 0.1 ms.
   */
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** Receives the outcome of loads, under a lock: one at a time, in order. */
  public interface Listener {

    /** Rules were loaded, and are in use. */
    void loaded(RuleSet rules);

    /** The files have errors, and the rules that were loaded before stay in use. */
    void rejected(RuleException errors);
  }

  private final Listener listener;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(work -> {
        Thread daemon = new Thread(work, "tidegate-rules");
        daemon.setDaemon(true);
        return daemon;
      });

  /** The rules in use. Written under the lock, read by every request. */
  private volatile RuleSet rules;

  /** The content that was loaded or rejected last. Guarded by this. */
  private RuleFiles handled;

  /** The content of the last read. Guarded by this. */
  private RuleFiles latest;

  private CurrentRules(RuleFiles files, RuleSet rules, Listener listener) {
    this.handled = files;
    this.latest = files;
    this.rules = rules;
    this.listener = listener;
  }

  /**
   * Loads the rules of a directory. Does not follow the files yet: see {@link #start}.
   *
   * @param directory the directory of the files
   * @param listener receives this load and all later ones
   * @throws RuleException if the files have errors: a node without rules would limit nothing
   */
  public static CurrentRules load(Path directory, Listener listener) throws RuleException {
    RuleFiles files = RuleFiles.read(directory);
    CurrentRules loaded = new CurrentRules(files, files.load(), listener);
    listener.loaded(loaded.rules);
    return loaded;
  }

  /** The rules in use. */
  public RuleSet current() {
    return rules;
  }

  /** Starts to follow the files. */
  @SuppressWarnings("FutureReturnValueIgnored") // close() ends the task, which catches exceptions
  public void start() {
    thread.scheduleWithFixedDelay(
        this::reloadIfChanged, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Reads the files, and loads them if they have changed and are no longer being written. */
  synchronized void reloadIfChanged() {
    try {
      RuleFiles read = handled.readAgain();
      boolean settled = read.sameAs(latest);
      latest = read;
      if (settled && !read.sameAs(handled)) {
        replace(read);
      }
    } catch (RuntimeException e) {
      Log.error("cannot read the rule files; will retry", e, "directory", handled.directory());
    }
  }

  /** Reads the files and loads them, changed or not. */
  public synchronized void reload() {
    latest = handled.readAgain();
    replace(latest);
  }

  private void replace(RuleFiles files) {
    handled = files;
    try {
      rules = files.load();
      Log.info(
          "loaded rules",
          "files",
          files.count(),
          "domains",
          rules.domains().size(),
          "rules",
          rules.rules().size());
      listener.loaded(rules);
    } catch (RuleException e) {
      Log.warn(
          "the rule files have errors; the rules loaded before stay in use",
          "errors",
          e.errors().size(),
          "first",
          e.errors().get(0));
      listener.rejected(e);
    }
  }

  /** Stops following the files. */
  public void close() {
    thread.shutdownNow();
  }
}
