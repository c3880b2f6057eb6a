package io.tidegate.local;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.tidegate.local.SeriesTable.Verdict;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Requests, peeks, batches and evictions on several threads are linearizable. Lincheck generates
 * scenarios, tries their interleavings, and prints the one that fails.
 *
 * <p>With two series and a limit of three, every few operations reach the limit.
 */
@Param(name = "series", gen = IntGen.class, conf = "0:1")
@Param(name = "cost", gen = IntGen.class, conf = "0:2")
public class LinearizabilityAtOneInstantTest {

  /**
   * Number of scenarios: a few in every build, thousands with {@code -Dtidegate.scenarios=5000}.
   */
  private static final int SCENARIOS = Integer.getInteger("tidegate.scenarios", 10);

  private static final long LIMIT = 3;
  private static final long NOW = 10_250;

  private final Scope scope = new Scope("acme", "login", 1_000);
  private final SeriesStore store =
      new SeriesStore(100, false, null, new SeriesStore.Listener() {}, () -> NOW);

  @Operation
  public String decide(@Param(name = "series") int series, @Param(name = "cost") int cost) {
    return words(store.table(scope).decide(identifier(series), LIMIT, cost, NOW));
  }

  @Operation
  public boolean take(@Param(name = "series") int series, @Param(name = "cost") int cost) {
    return store.table(scope).take(identifier(series), LIMIT, cost, NOW) == Verdict.ALLOWED;
  }

  @Operation
  public String decideBoth(@Param(name = "series") int first, @Param(name = "cost") int cost) {
    LimitRequest one = new LimitRequest(scope, identifier(first), LIMIT, cost);
    LimitRequest other = new LimitRequest(scope, identifier(1 - first), LIMIT, 1);
    BatchDecision both = new Batch(store, new LimitRequest[] {one, other}, NOW).decide();
    return both.allowed()
        ? both.decisions().stream()
            .map(LinearizabilityAtOneInstantTest::words)
            .toList()
            .toString()
        : "denied";
  }

  /**
   * Retries while a batch holds the series. Returns nothing: a series that was just created and not
   * used yet may be found or not.
   */
  @Operation
  public void evict(@Param(name = "series") int series) {
    SeriesTable table = store.find(scope);
    SeriesCounter counter;
    do {
      counter = table == null ? null : table.find(identifier(series));
    } while (counter != null && !table.evict(counter));
  }

  @Test
  void everyInterleavingIsASequence() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(500)
        .addGuarantee(forClasses(ConcurrentHashMap.class.getName()).allMethods().treatAsAtomic())
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .check(LinearizabilityAtOneInstantTest.class);
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
        .check(LinearizabilityAtOneInstantTest.class);
  }

  /**
   * The verdict, with the figures if it is allowed. Those of a denial may be from before a batch
   * that is under way.
   */
  private static String words(Decision decision) {
    return decision.allowed()
        ? decision.effectiveCount() + ", " + decision.remaining() + " left"
        : "denied";
  }

  private static String identifier(int series) {
    return series == 0 ? "a" : "b";
  }
}
