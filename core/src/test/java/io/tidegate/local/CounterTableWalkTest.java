package io.tidegate.local;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** A walk sees a counter that stays in the table, also while it moves to another bucket. */
public class CounterTableWalkTest {

  private static final int SCENARIOS = Integer.getInteger("tidegate.scenarios", 10);

  /** Identifiers that move to the third bucket of four, which is behind an empty one. */
  private static final String[] MOVING = IntStream.range(0, 1_000)
      .mapToObj(i -> "moves_" + i)
      .filter(text -> ((text.hashCode() ^ text.hashCode() >>> 16) & 3) == 2)
      .limit(2)
      .toArray(String[]::new);

  private final CounterTable table = new CounterTable();
  private final SeriesCounter stays = new SeriesCounter(MOVING[0], 0);

  public CounterTableWalkTest() {
    table.putIfAbsent(stays);
  }

  /** Whether a walk returns the counter, once or, while it moves, twice. */
  @Operation
  public boolean walk() {
    boolean seen = false;
    for (SeriesCounter counter : table) {
      seen = seen || counter == stays;
    }
    return seen;
  }

  @Operation(runOnce = true)
  public void add() {
    table.putIfAbsent(new SeriesCounter(MOVING[1], 0));
  }

  @Test
  void missesNoCounterThatStays() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(500)
        .addGuarantee(forClasses(ConcurrentHashMap.class.getName()).allMethods().treatAsAtomic())
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .check(CounterTableWalkTest.class);
  }
}
