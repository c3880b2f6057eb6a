package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Lookups without a lock are correct while counters are added, moved and removed. */
@Param(name = "name", gen = IntGen.class, conf = "0:4")
public class CounterTableRaceTest {

  private static final int SCENARIOS = Integer.getInteger("tidegate.scenarios", 10);

  private final CounterTable table = new CounterTable();

  @Operation
  public boolean find(@Param(name = "name") int name) {
    return table.find("user_" + name) != null;
  }

  @Operation
  public boolean add(@Param(name = "name") int name) {
    return table.putIfAbsent(new SeriesCounter("user_" + name, 0)) == null;
  }

  @Operation
  public boolean remove(@Param(name = "name") int name) {
    SeriesCounter found = table.find("user_" + name);
    return found != null && table.remove(found);
  }

  @Test
  void everyInterleavingIsASequence() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(500)
        .addGuarantee(forClasses(ConcurrentHashMap.class.getName()).allMethods().treatAsAtomic())
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(4)
        .actorsAfter(2)
        .check(CounterTableRaceTest.class);
  }

  /** One thread adds and removes, so that buckets split and chains change all the time. */
  @Test
  void presentCountersAreAlwaysFound() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      CounterTable shared = new CounterTable();
      for (int i = 0; i < 64; i++) {
        shared.putIfAbsent(new SeriesCounter("stays_" + i, 0));
      }
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<String> missed = new AtomicReference<>();
      Thread reader = new Thread(() -> {
        for (int i = 0; !done.get() && missed.get() == null; i = (i + 1) % 64) {
          if (shared.find("stays_" + i) == null) {
            missed.set("stays_" + i);
          }
        }
      });
      reader.start();
      for (int i = 0; i < 20_000; i++) {
        SeriesCounter passing = new SeriesCounter("passes_" + i, 0);
        shared.putIfAbsent(passing);
        if (i % 3 > 0) {
          shared.remove(passing);
        }
      }
      done.set(true);
      reader.join();
      assertThat(missed.get()).as("missed in round " + round).isNull();
    }
  }
}
