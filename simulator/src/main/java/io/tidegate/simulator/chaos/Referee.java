package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import io.tidegate.spi.Component;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows every request, answer and received message, keeps the {@link GroundTruth} and a
 * {@link NodeModel} of each node, and hands answers to the checks.
 */
final class Referee {

  private final Scenario scenario;
  private final Timeline timeline;
  private final GroundTruth truth;
  private final AnswerCheck answerCheck;
  private final OvershootCheck overshootCheck;
  private final Violations violations;
  private final Trace trace;
  private final Map<Node, NodeModel> models = new HashMap<>();

  /** The answers of the current event, checked after it: counts of one event have no order. */
  private final List<ObservedRequest.Answer> answers = new ArrayList<>();

  private long checkedAnswers;

  Referee(
      Scenario scenario,
      Timeline timeline,
      GroundTruth truth,
      Excuses excuses,
      Violations violations,
      Trace trace) {
    this.scenario = scenario;
    this.timeline = timeline;
    this.truth = truth;
    this.answerCheck = new AnswerCheck(scenario, timeline, excuses, violations);
    this.overshootCheck = new OvershootCheck(scenario, timeline, truth, excuses, violations);
    this.violations = violations;
    this.trace = trace;
  }

  NodeModel model(Node node) {
    return models.computeIfAbsent(node, NodeModel::new);
  }

  /** A node is about to receive requests. */
  ObservedRequest requested(Node node, List<LimitRequest> requests) {
    NodeModel model = model(node);
    long nowMillis = node.millis();
    Map<Series, Long> charges = new HashMap<>();
    List<ObservedRequest.Entry> entries = new ArrayList<>();
    for (LimitRequest request : requests) {
      Series series = new Series(request.scope(), request.identifier());
      deciding(node, series);
      entries.add(new ObservedRequest.Entry(
          request,
          charges.merge(series, request.cost(), Long::sum),
          model.incarnation(series),
          model.isStrict(series, nowMillis),
          model.isReadFailed(series, timeline.nowNanos())));
    }
    return new ObservedRequest(node, entries, nowMillis, timeline.nowNanos());
  }

  private void deciding(Node node, Series series) {
    NodeModel model = model(node);
    if (model.mayMoveBack(series)) {
      model.movedBack(series, truth.after(series, node.millis()), timeline.nowNanos());
    }
    model.deciding(series);
  }

  /** A node has answered a request, or thrown. */
  void answered(
      ObservedRequest request, @Nullable BatchDecision batch, @Nullable Throwable failure) {
    violations.require(
        failure == null, Guarantee.NOTHING_THROWS, "%s: %s", request, String.valueOf(failure));
    if (batch == null) {
      return;
    }
    checkWaiting(request);
    boolean allFailed = request.entries().stream().allMatch(ObservedRequest.Entry::readFailed);
    violations.require(
        !allFailed || timeline.nowNanos() == request.nanos() || scenario.isCrowded(),
        Guarantee.NO_SECOND_WAIT,
        "%s let %s wait",
        request.node(),
        request);
    try {
      answered(request, batch);
    } catch (RuntimeException e) { // the caller is a future, which would swallow it
      violations.require(false, Guarantee.REFEREE_IS_SOUND, "%s: %s", request, e);
    }
  }

  private void answered(ObservedRequest request, BatchDecision batch) {
    trace.add(request.node() + " received " + request + ": " + text(batch));
    violations.require(
        batch.allowed() == batch.decisions().stream().allMatch(Decision::allowed),
        Guarantee.BATCH_IS_ATOMIC,
        "%s answered %s to %s",
        request.node(),
        batch,
        request);
    List<ObservedRequest.Answer> all = answers(request, batch);
    answers.addAll(all);
    all.forEach(this::count);
  }

  /** Runs before any of the batch is counted: each request is judged by the counts before it. */
  private List<ObservedRequest.Answer> answers(ObservedRequest request, BatchDecision batch) {
    List<ObservedRequest.Answer> all = new ArrayList<>();
    for (int i = 0; i < request.entries().size(); i++) {
      ObservedRequest.Entry entry = request.entries().get(i);
      Decision decision = batch.decisions().get(i);
      deciding(request.node(), entry.series()); // the clock may have been set in the meantime
      long start = decision.resetAtMillis() - entry.request().scope().windowMillis();
      long least = model(request.node()).effective(entry.series(), start, request.nowMillis());
      all.add(new ObservedRequest.Answer(request, entry, decision, batch.allowed(), least));
    }
    return all;
  }

  private void count(ObservedRequest.Answer answer) {
    Node node = answer.request().node();
    LimitRequest request = answer.entry().request();
    Series series = answer.entry().series();
    if (answer.admitted() && request.cost() > 0) {
      truth.admit(answer.cell(), node, request.cost(), timeline.nowNanos());
      model(node).admitted(answer.cell(), request.cost());
    }
    if (!answer.decision().allowed() && answer.countBefore() > 0) { // else there may be no series
      long strictMillis = TimeBounds.strictMillis(request.scope());
      model(node).denied(series, answer.request().nowMillis() + strictMillis);
    }
    boolean single = answer.request().entries().size() == 1; // a batch may have waited for others
    boolean waited = timeline.nowNanos() > answer.request().nanos();
    if (single && waited && answer.decision().degraded()) {
      model(node).readFailed(series, timeline.nowNanos());
    }
  }

  private static String text(BatchDecision batch) {
    StringBuilder text = new StringBuilder(batch.allowed() ? "allowed" : "denied");
    for (Decision decision : batch.decisions()) {
      text.append(' ')
          .append(decision.effectiveCount())
          .append('/')
          .append(decision.limit())
          .append(decision.source() == Decision.Source.ORIGIN ? " by the origin" : "")
          .append(decision.degraded() ? " degraded" : "");
    }
    return text.toString();
  }

  /** Checks the answers of the event that has just ended, and throws the first violation. */
  void checkEvent() {
    for (ObservedRequest.Answer answer : answers) {
      check(answer);
    }
    checkedAnswers += answers.size();
    answers.clear();
    violations.throwFirst();
  }

  long checkedAnswers() {
    return checkedAnswers;
  }

  private void check(ObservedRequest.Answer answer) {
    NodeModel model = model(answer.request().node());
    long trueCount = truth.effective(
        answer.entry().series(), answer.startMillis(), answer.request().nowMillis());
    answerCheck.check(answer, trueCount, model);
    model.entered(answer.cell(), timeline.nowNanos());
    if (answer.admitted()) {
      overshootCheck.check(answer, trueCount, model);
    }
  }

  /** Checks that a request, answered or not, has not waited too long while its node could run. */
  void checkWaiting(ObservedRequest request) {
    long since = Math.max(request.nanos(), request.node().thawedNanos());
    long nanos = timeline.nowNanos() - since;
    violations.require(
        nanos <= TimeBounds.answer(scenario),
        Guarantee.ANSWER_IN_TIME,
        "%s has not answered %s after %d ms",
        request.node(),
        request,
        nanos / Scenario.MILLI);
  }

  /** The clock of a node was set. */
  void clockStepped(Node node, long millis) {
    if (millis < 0) {
      model(node).clockSetBack(node.millis() - millis);
    }
  }

  /** A node has evicted a live series. */
  void evicted(Node node, Series series) {
    trace.add(node + " evicts " + series.identifier());
    model(node).evicted(series, timeline.nowNanos());
  }

  /** A node reported that its origin or the database lost counts. */
  void reportedLoss(Node node, String where, FaultTrait loss) {
    trace.add(node + " reports that " + where + " lost counts");
    violations.require(
        model(node).wasSetBack() // it may then look for cells that expired by other clocks
            || scenario.had(loss, timeline.nowNanos()),
        Guarantee.NO_FALSE_LOSS,
        "%s reports that %s lost counts",
        node,
        where);
  }

  /** A node received its peers' count; has no effect if it evicted the series in the meantime. */
  void receivedPeers(Node node, WindowCell cell, long peers, int incarnation) {
    if (model(node).incarnation(cell.series()) == incarnation
        && model(node).receivedPeers(cell, peers, timeline.nowNanos())) {
      trace.add(node + " receives peers " + text(cell) + " = " + peers);
    }
  }

  /** A node pulled the count of a region. */
  void pulled(Node node, Component component) {
    if (model(node).pulled(component)) {
      trace.add(node + " pulls " + component.region() + " " + text(component.cell()) + " = "
          + component.count());
    }
  }

  static String text(WindowCell cell) {
    return cell.series().identifier() + "@" + cell.sequence();
  }
}
