package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.model.WindowRules;
import io.tidegate.simulator.chaos.ObservedRequest.Answer;
import io.tidegate.simulator.chaos.ObservedRequest.Entry;
import io.tidegate.simulator.world.Node;
import io.tidegate.spi.Component;
import io.tidegate.spi.RegionalCount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Follows every request, answer and received message, keeps the {@link GroundTruth} and a
 * {@link NodeModel} of each node, and hands answers to the checks.
 */
final class Referee {

  private final RunContext run;
  private final AnswerCheck answerCheck;
  private final OvershootCheck overshootCheck;
  private final ShareCheck shareCheck;
  private final Map<Node, NodeModel> models = new HashMap<>();

  /** Requests without an answer, oldest first. */
  private final Deque<ObservedRequest> open = new ArrayDeque<>();

  /** The answers of the current event, checked after it: counts of one event have no order. */
  private final List<Answer> answers = new ArrayList<>();

  private long checkedAnswers;

  Referee(RunContext run) {
    this.run = run;
    this.answerCheck = new AnswerCheck(run);
    this.overshootCheck = new OvershootCheck(run);
    this.shareCheck = new ShareCheck(run);
  }

  NodeModel model(Node node) {
    return models.computeIfAbsent(node, NodeModel::new);
  }

  /**
   * Sends requests to a node, as a batch if there are several. Completes with the answers, after
   * their costs were counted; without answers if the limiter threw.
   */
  CompletionStage<List<Answer>> send(Node node, List<LimitRequest> requests) {
    ObservedRequest request = observed(node, requests);
    open.add(request);
    return request.decide().handle((batch, failure) -> {
      open.remove(request);
      try {
        if (batch != null) {
          return answered(request, batch);
        }
        run.violated(Guarantee.NOTHING_THROWS, request + ": " + failure);
      } catch (RuntimeException e) { // the stage would swallow it
        run.violated(Guarantee.REFEREE_IS_SOUND, request + ": " + e);
      }
      return List.of();
    });
  }

  private ObservedRequest observed(Node node, List<LimitRequest> requests) {
    NodeModel model = model(node);
    long nowMillis = node.millis();
    Map<Series, Long> charges = new HashMap<>();
    List<Entry> entries = new ArrayList<>();
    for (LimitRequest request : requests) {
      Series series = new Series(request.scope(), request.identifier());
      model.deciding(series, nowMillis, run.truth);
      entries.add(new Entry(
          request,
          charges.merge(series, request.cost(), Long::sum),
          model.incarnation(series),
          model.isStrict(series, nowMillis),
          model.isReadFailed(series)));
    }
    return new ObservedRequest(node, entries, nowMillis, run.now());
  }

  private List<Answer> answered(ObservedRequest request, BatchDecision batch) {
    checkWaiting(request);
    boolean mayWait = run.now() == request.nanos()
        || run.scenario.isCrowded()
        || !request.entries().stream().allMatch(Entry::readFailed);
    run.check(Guarantee.NO_SECOND_WAIT, mayWait, request.node(), " let wait: ", request);
    run.trace(request.node() + " received " + request + ": " + text(batch));
    boolean atomic = batch.allowed() == batch.decisions().stream().allMatch(Decision::allowed);
    run.check(Guarantee.BATCH_IS_ATOMIC, atomic, request.node(), ": ", batch, " to ", request);
    List<Answer> all = answers(request, batch);
    if (all.size() == 1) {
      shareCheck.check(all.get(0));
    }
    answers.addAll(all);
    all.forEach(this::count);
    return all;
  }

  /** Runs before any of the batch is counted: each request is judged by the counts before it. */
  private List<Answer> answers(ObservedRequest request, BatchDecision batch) {
    List<Answer> all = new ArrayList<>();
    NodeModel model = model(request.node());
    for (int i = 0; i < request.entries().size(); i++) {
      Entry entry = request.entries().get(i);
      Decision decision = batch.decisions().get(i);
      // The clock may have been set in the meantime.
      model.deciding(entry.series(), request.nowMillis(), run.truth);
      long start = decision.resetAtMillis() - entry.request().scope().windowMillis();
      WindowCell cell = WindowCell.at(entry.series(), start);
      model.decided(cell);
      long least = model.effective(cell, request.nowMillis());
      all.add(new Answer(request, entry, decision, cell, batch.allowed(), least));
    }
    return all;
  }

  private void count(Answer answer) {
    NodeModel model = model(answer.node());
    Series series = answer.entry().series();
    long cost = answer.entry().request().cost();
    if (answer.admitted() && cost > 0) {
      run.truth.admit(answer.cell(), answer.node(), cost, run.now());
      model.admitted(answer.cell(), cost);
    }
    if (!answer.decision().allowed() && answer.countBefore() > 0) { // else there may be no series
      long window = series.scope().windowMillis();
      long until = WindowRules.strictUntilMillis(answer.request().nowMillis(), window);
      model.denied(series, until);
    }
    boolean single = answer.request().entries().size() == 1; // a batch may have waited for others
    boolean waited = run.now() > answer.request().nanos();
    if (single && waited && answer.decision().degraded()) {
      model.readFailed(series);
    }
  }

  private static String text(BatchDecision batch) {
    StringBuilder text = new StringBuilder(batch.allowed() ? "allowed" : "denied");
    for (Decision decision : batch.decisions()) {
      text.append(' ').append(decision.effectiveCount()).append('/').append(decision.limit());
      text.append(decision.source() == Decision.Source.ORIGIN ? " by the origin" : "");
      text.append(decision.degraded() ? " degraded" : "");
    }
    return text.toString();
  }

  /** Checks the answers of the event that has just ended, and throws the first violation. */
  void checkEvent() {
    run.endEvent();
    answers.forEach(this::check);
    checkedAnswers += answers.size();
    answers.clear();
    run.throwIfViolated();
  }

  long checkedAnswers() {
    return checkedAnswers;
  }

  private void check(Answer answer) {
    NodeModel model = model(answer.node());
    long trueCount = run.truth.effective(answer.cell(), answer.request().nowMillis());
    answerCheck.check(answer, trueCount, model);
    model.entered(answer.cell());
    if (answer.admitted()) {
      overshootCheck.check(answer, trueCount, model);
    }
  }

  /** Checks the waiting requests. Frozen nodes answer late and dead ones never. */
  void checkWaiting() {
    open.removeIf(request -> request.node().isDead());
    open.stream().filter(request -> request.node().isRunning()).forEach(this::checkWaiting);
  }

  /** Checks that a request, answered or not, has not waited too long while its node could run. */
  private void checkWaiting(ObservedRequest request) {
    long nanos = run.now() - Math.max(request.nanos(), request.node().thawedNanos());
    boolean inTime = nanos <= TimeBounds.ANSWER;
    run.check(Guarantee.ANSWER_IN_TIME, inTime, request.node(), " after ", nanos, " ns: ", request);
  }

  /** A node has evicted a live series. */
  void evicted(Node node, Series series) {
    run.trace(node + " evicts " + series.identifier());
    model(node).evicted(series);
  }

  /** A node reported that its origin or the database lost counts. */
  void reportedLoss(Node node, String where, FaultTrait loss) {
    String report = node + " reports that " + where + " lost counts";
    run.trace(report);
    // A clock that was set back may let the node look for cells that expired by other clocks.
    boolean mayReport = model(node).wasSetBack() || run.scenario.had(loss, run.now());
    run.check(Guarantee.NO_FALSE_LOSS, mayReport, report);
  }

  /** A node received an answer; has no effect if it evicted the series in the meantime. */
  void received(Node node, WindowCell cell, RegionalCount count, int incarnation) {
    NodeModel model = model(node);
    if (model.incarnation(cell.series()) == incarnation && model.received(cell, count)) {
      String counts = count.peers() + ", imported " + count.imported();
      run.trace(node + " receives peers " + text(cell) + " = " + counts);
    }
  }

  /** A node pulled the count of a region. */
  void pulled(Node node, Component pulled) {
    if (model(node).pulled(pulled)) {
      String cell = text(pulled.cell());
      run.trace(node + " pulls " + pulled.region() + " " + cell + " = " + pulled.count());
    }
  }

  static String text(WindowCell cell) {
    return cell.series().identifier() + "@" + cell.sequence();
  }
}
