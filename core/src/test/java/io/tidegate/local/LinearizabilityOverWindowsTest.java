package io.tidegate.local;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.tidegate.local.SeriesTable.Verdict;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Decisions on a series are linearizable while windows pass: no count is lost, doubled or added to
 * the wrong window.
 *
 * <p>The clock advances by whole windows, because a request that another has overtaken is decided
 * on at the start of the newest window. The series exists from the start, so that every operation
 * meets the newest window of those before it.
 */
@Param(name = "windows", gen = IntGen.class, conf = "1:2")
@Param(name = "cost", gen = IntGen.class, conf = "0:2")
public class LinearizabilityOverWindowsTest {

  /**
   * Number of scenarios: a few in every build, thousands with {@code -Dtidegate.scenarios=5000}.
   */
  private static final int SCENARIOS = Integer.getInteger("tidegate.scenarios", 10);

  private static final long LIMIT = 4;
  private static final long WINDOW = 1_000;

  private final Scope scope = new Scope("acme", "login", WINDOW);
  private final AtomicLong clock = new AtomicLong(10 * WINDOW);
  private final SeriesStore store =
      new SeriesStore(100, false, null, new SeriesStore.Listener() {}, clock::get);

  public LinearizabilityOverWindowsTest() {
    store.table(scope).take("user", LIMIT, 1, clock.get());
  }

  @Operation
  public void pass(@Param(name = "windows") int windows) {
    clock.addAndGet(windows * WINDOW);
  }

  @Operation
  public long decide(@Param(name = "cost") int cost) {
    return store.table(scope).decide("user", LIMIT, cost, clock.get()).effectiveCount();
  }

  @Operation
  public boolean take(@Param(name = "cost") int cost) {
    return store.table(scope).take("user", LIMIT, cost, clock.get()) == Verdict.ALLOWED;
  }

  @Operation
  public long decideTwice(@Param(name = "cost") int cost) {
    LimitRequest one = new LimitRequest(scope, "user", LIMIT, cost);
    LimitRequest other = new LimitRequest(scope, "user", LIMIT, 1);
    return new Batch(store, new LimitRequest[] {one, other}, clock.get())
        .decide()
        .decisions()
        .get(1)
        .effectiveCount();
  }

  @Test
  void everyInterleavingIsASequence() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(500)
        .addGuarantee(forClasses(ConcurrentHashMap.class.getName()).allMethods().treatAsAtomic())
        .threads(2)
        .actorsPerThread(4)
        .actorsBefore(1)
        .actorsAfter(2)
        .check(LinearizabilityOverWindowsTest.class);
  }

  @Test
  void everyRunOnRealThreadsIsASequence() {
    new StressOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .check(LinearizabilityOverWindowsTest.class);
  }
}
