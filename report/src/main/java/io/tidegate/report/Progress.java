package io.tidegate.report;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line on the terminal with the current measurement and the remaining time. */
public final class Progress {

  private static final int WIDTH = 90;

  private final PrintStream out;
  private final LongSupplier nanoTime;
  private final int total;
  private final long startNanos;
  private int done;

  public Progress(PrintStream out, int total, LongSupplier nanoTime) {
    this.out = out;
    this.total = total;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** Shows the next measurement. */
  public void next(String what) {
    show("[%d/%d] %s ...%s".formatted(done + 1, total, what, eta()));
    done++;
  }

  public void end() {
    show("");
    out.print("\r");
    out.flush();
  }

  /** Overwrites the previous line, which may have been longer. */
  private void show(String line) {
    out.print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
    out.flush();
  }

  private String eta() {
    if (done == 0) {
      return "";
    }
    long elapsedSeconds = (nanoTime.getAsLong() - startNanos) / 1_000_000_000;
    long seconds = elapsedSeconds * (total - done) / done;
    return seconds < 90 ? "  eta " + seconds + " s" : "  eta " + (seconds + 30) / 60 + " min";
  }
}
