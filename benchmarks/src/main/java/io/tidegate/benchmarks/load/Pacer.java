package io.tidegate.benchmarks.load;

/** Gives turns at an even rate. A late caller gets its missed turns at once. */
public final class Pacer {

  private final double nanosPerTurn;
  private final long startNanos = System.nanoTime();
  private long turns;

  public Pacer(int perSecond) {
    this.nanosPerTurn = 1e9 / perSecond;
  }

  public void awaitTurn() {
    Pause.untilNanos(startNanos + (long) (turns++ * nanosPerTurn));
  }
}
