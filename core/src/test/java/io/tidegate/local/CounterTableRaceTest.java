package io.tidegate.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Lookups without a lock are correct while counters are added, moved and removed. */
@Param(name = "name", gen = IntGen.class, conf = "0:4")
public class CounterTableRaceTest {

  private static final int SCENARIOS = Integer.getInteger("tidegate.scenarios", 10);

  /** Counters that stay in a chain while others come and go. */
  private static final int STAYING = 4;

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

  /** Changes a chain of identifiers with the same hash while another thread reads it. */
  private static void whileAChainChanges(Consumer<CounterTable> read) throws Exception {
    CounterTable shared = new CounterTable();
    for (int i = 0; i < STAYING; i++) {
      shared.putIfAbsent(new SeriesCounter(colliding(i), 0));
    }
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Void> reading = new FutureTask<>(
        () -> {
          while (!done.get()) {
            read.accept(shared);
          }
        },
        null);
    new Thread(reading).start();
    for (int i = 0; i < 300_000 && !reading.isDone(); i++) {
      SeriesCounter passing = new SeriesCounter(colliding(STAYING + i % 8), 0);
      shared.putIfAbsent(passing);
      shared.remove(passing);
    }
    done.set(true);
    reading.get();
  }

  private static String colliding(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 8; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  @Test
  void lookupsFindWhatStaysInAChainThatChanges() throws Exception {
    whileAChainChanges(shared -> {
      for (int i = 0; i < STAYING; i++) {
        assertThat(shared.find(colliding(i))).isNotNull();
      }
    });
  }

  @Test
  void walksSeeWhatStaysInAChainThatChangesOnce() throws Exception {
    Set<String> staying = IntStream.range(0, STAYING)
        .mapToObj(CounterTableRaceTest::colliding)
        .collect(Collectors.toSet());
    whileAChainChanges(shared -> {
      List<String> seen = new ArrayList<>();
      shared.forEach(counter -> seen.add(counter.identifier()));
      seen.retainAll(staying);
      assertThat(seen).containsExactlyInAnyOrderElementsOf(staying);
    });
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
