package io.tidegate.benchmarks;

/** Gives turns at an even rate. Who was late gets the turns that are due at once. */
final class Pacer {

  private final double nanosPerTurn;
  private final long startNanos = System.nanoTime();
  private long turns;

  Pacer(int perSecond) {
    this.nanosPerTurn = 1e9 / perSecond;
  }

  void awaitTurn() {
    Pause.untilNanos(startNanos + (long) (turns++ * nanosPerTurn));
  }
}
