package io.tidegate.simulator.chaos;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.Timeline;
import io.tidegate.spi.Component;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees every request, answer and message, and throws a {@link GuaranteeViolation} when something
 * does not hold that is guaranteed.
 */
final class Referee {

  private record WriterOfCell(Writer writer, WindowCell cell) {}

  private record NodeOfCell(Node node, WindowCell cell) {}

  private final Scenario plan;
  private final Timeline timeline;
  private final GroundTruth truth;
  private final OvershootCheck overshoot;
  private final AnswerCheck rules;
  private final Violations violations;
  private final Trace trace;
  private final Map<Node, NodeModel> knowledge = new HashMap<>();

  /** What each writer has told last of a cell, and what all writers of a node have. */
  private final Map<WriterOfCell, Long> told = new HashMap<>();

  private final Map<NodeOfCell, Long> toldByNode = new HashMap<>();

  /** What has been answered in this event, to be judged when all of it has happened. */
  private final List<ObservedRequest.Answer> answers = new ArrayList<>();

  private long judged;

  Referee(
      Scenario plan,
      Timeline timeline,
      GroundTruth truth,
      Excuses excuses,
      Violations violations,
      Trace trace) {
    this.plan = plan;
    this.timeline = timeline;
    this.truth = truth;
    this.overshoot = new OvershootCheck(plan, timeline, truth, excuses, violations);
    this.rules = new AnswerCheck(plan, timeline, excuses, violations);
    this.violations = violations;
    this.trace = trace;
  }

  NodeModel knowledge(Node node) {
    return knowledge.computeIfAbsent(node, NodeModel::new);
  }

  /** A node is about to be asked. */
  ObservedRequest asks(Node node, List<LimitRequest> requests) {
    long nowMillis = node.millis();
    Map<Series, Long> charges = new HashMap<>();
    List<ObservedRequest.Entry> entries = new ArrayList<>();
    for (LimitRequest request : requests) {
      Series series = new Series(request.scope(), request.identifier());
      decides(node, series);
      entries.add(new ObservedRequest.Entry(
          request,
          charges.merge(series, request.cost(), Long::sum),
          knowledge(node).life(series),
          knowledge(node).isStrict(series, nowMillis),
          knowledge(node).isUnreadable(series, timeline.nowNanos())));
    }
    return new ObservedRequest(node, entries, nowMillis, timeline.nowNanos());
  }

  private void decides(Node node, Series series) {
    NodeModel known = knowledge(node);
    if (known.mayBeMovedBack(series)) {
      known.movesBack(series, truth.after(series, node.millis()), timeline.nowNanos());
    }
    known.decides(series);
  }

  /** A node has answered, or has thrown, which it never should. */
  void answered(
      ObservedRequest request, @Nullable BatchDecision batch, @Nullable Throwable failure) {
    violations.require(failure == null, "nothing throws", "%s: %s", request, failure);
    if (batch == null) {
      return;
    }
    waits(request);
    boolean hopeless = request.entries().stream().allMatch(ObservedRequest.Entry::unreadable);
    violations.require(
        !hopeless || timeline.nowNanos() == request.nanos() || plan.isCrowded(),
        "nobody waits twice for an origin that fails",
        "%s let %s wait",
        request.node(),
        request);
    try {
      answered(request, batch);
    } catch (RuntimeException e) { // which whoever called would keep to itself
      violations.require(false, "the referee understands everything", "%s: %s", request, e);
    }
  }

  private void answered(ObservedRequest request, BatchDecision batch) {
    trace.tell(request.node() + " was asked for " + request + ": " + words(batch));
    boolean allAllowed = batch.decisions().stream().allMatch(Decision::allowed);
    violations.require(
        batch.allowed() == allAllowed,
        "a batch is taken as a whole",
        "%s answered %s to %s",
        request.node(),
        batch,
        request);
    List<ObservedRequest.Answer> all = answers(request, batch);
    answers.addAll(all);
    all.forEach(this::count);
  }

  /** Before any of it is counted: each request of a batch is judged by what was known before. */
  private List<ObservedRequest.Answer> answers(ObservedRequest request, BatchDecision batch) {
    List<ObservedRequest.Answer> all = new ArrayList<>();
    for (int i = 0; i < request.entries().size(); i++) {
      ObservedRequest.Entry entry = request.entries().get(i);
      Decision decision = batch.decisions().get(i);
      decides(request.node(), entry.series()); // its clock may have been set meanwhile
      long start = decision.resetAtMillis() - entry.request().scope().windowMillis();
      long least = knowledge(request.node()).effective(entry.series(), start, request.nowMillis());
      all.add(new ObservedRequest.Answer(request, entry, decision, batch.allowed(), least));
    }
    return all;
  }

  private void count(ObservedRequest.Answer answer) {
    Node node = answer.request().node();
    LimitRequest asked = answer.entry().request();
    Series series = answer.entry().series();
    if (answer.taken() && asked.cost() > 0) {
      WindowCell cell = WindowCell.at(series, answer.startMillis());
      truth.accept(cell, node, asked.cost(), timeline.nowNanos());
      knowledge(node).accept(cell, asked.cost());
    }
    if (!answer.decision().allowed() && answer.known() > 0) { // else there may be no series
      long until = answer.request().nowMillis() + asked.scope().windowMillis();
      knowledge(node).denied(series, until);
    }
    boolean alone = answer.request().entries().size() == 1; // or it has waited for others since
    boolean waited = timeline.nowNanos() > answer.request().nanos();
    if (alone && waited && answer.decision().degraded()) {
      knowledge(node).failedToRead(series, timeline.nowNanos());
    }
  }

  private static String words(BatchDecision batch) {
    StringBuilder words = new StringBuilder(batch.allowed() ? "allowed" : "denied");
    for (Decision decision : batch.decisions()) {
      words
          .append(' ')
          .append(decision.effectiveCount())
          .append('/')
          .append(decision.limit())
          .append(decision.source() == Decision.Source.ORIGIN ? " by the origin" : "")
          .append(decision.degraded() ? " degraded" : "");
    }
    return words.toString();
  }

  /** Judges what was answered in this event. */
  void judge() {
    for (ObservedRequest.Answer answer : answers) {
      judge(answer);
    }
    judged += answers.size();
    answers.clear();
    violations.throwFirst();
  }

  /** How many answers have been judged. */
  long judged() {
    return judged;
  }

  private void judge(ObservedRequest.Answer answer) {
    ObservedRequest request = answer.request();
    ObservedRequest.Entry entry = answer.entry();
    Decision decision = answer.decision();
    long most = truth.effective(entry.series(), answer.startMillis(), request.nowMillis());
    WindowCell cell = WindowCell.at(entry.series(), answer.startMillis());
    long carried = knowledge(request.node()).carried(cell);
    violations.require(
        answer.known() <= most - answer.takenOfSeries() + carried,
        "nobody knows more than the truth",
        "%s knows %d of %s, of which there is %d",
        request.node(),
        answer.known(),
        entry.series(),
        most - answer.takenOfSeries());
    violations.require(
        answer.known() >= answer.leastKnown(),
        "nothing is forgotten that was accepted or heard",
        "%s knows %d of %s, and was told %d",
        request.node(),
        answer.known(),
        entry.series(),
        answer.leastKnown());
    violations.require(
        decision.allowed()
            == (decision.effectiveCount() <= decision.limit() && decision.limit() > 0),
        "an answer agrees with itself",
        "%s",
        decision);
    violations.require(
        decision.allowed()
            || most + carried + entry.charge() > decision.limit()
            || decision.limit() == 0,
        "nobody is denied whom the truth would allow",
        "%s denied %s: in truth %d are used",
        request.node(),
        request,
        most);
    violations.require(
        !answer.taken()
            || entry.request().cost() == 0 // which counts nothing
            || !entry.strict()
            || entry.life() != knowledge(request.node()).life(entry.series())
            || decision.degraded()
            || decision.source() == Decision.Source.ORIGIN,
        "strict mode asks the origin before each admission",
        "%s admitted %s without",
        request.node(),
        request);
    rules.check(answer, knowledge(request.node()));
    knowledge(request.node()).enter(cell, timeline.nowNanos());
    if (answer.taken()) {
      overshoot.check(answer, most, knowledge(request.node()));
    }
  }

  /** The clock of a node was set. */
  void clockSet(Node node, long millis) {
    if (millis < 0) {
      knowledge(node).clockSetBack(node.millis() - millis);
    }
  }

  /** A node has forgotten a series, alive. */
  void forgets(Node node, Series series) {
    trace.tell(node + " evicts " + series.identifier());
    knowledge(node).forget(series, timeline.nowNanos());
  }

  /** A node noticed that its origin lost counts. */
  void originLostCounts(Node node) {
    violations.require(
        knowledge(node).wasSetBack() // and looks for what has expired by other clocks
            || plan.had(Fault.Kind.ORIGIN_WIPED, timeline.nowNanos())
            || plan.had(Fault.Kind.ORIGIN_LOSES_A_CELL, timeline.nowNanos()),
        "no loss is noticed where nothing was lost",
        "%s takes its origin to have lost counts",
        node);
  }

  /** A node noticed that the database lost counts. */
  void databaseForgot(Node node) {
    violations.require(
        knowledge(node).wasSetBack()
            || plan.had(Fault.Kind.DATABASE_LOSES_COMMITS, timeline.nowNanos()),
        "no loss is noticed where nothing was lost",
        "%s takes the database to have lost counts",
        node);
  }

  /** A node is told what the others of its region counted, if it still has the series. */
  void hearsPeers(Node node, WindowCell cell, long peers, int life) {
    if (knowledge(node).life(cell.series()) == life
        && knowledge(node).hearPeers(cell, peers, timeline.nowNanos())) {
      trace.tell(node + " hears that its peers have " + words(cell) + " = " + peers);
    }
  }

  /** A node is told what a region counted. */
  void hears(Node node, Component component) {
    if (knowledge(node).hear(component)) {
      trace.tell(node + " hears that " + component.region() + " has " + words(component.cell())
          + " = " + component.count());
    }
  }

  /** A node sends own counts. */
  void replays(Node node, OwnCount count) {
    trace.tell(node + " replays " + words(count.cell()) + " = " + count.count());
    long before = told.getOrDefault(new WriterOfCell(count.writer(), count.cell()), 0L);
    violations.require(
        count.count() >= before,
        "own counts never shrink",
        "%s tells %d of %s after %d",
        count.writer().name(),
        count.count(),
        count.cell(),
        before);
    told.put(new WriterOfCell(count.writer(), count.cell()), count.count());
    long all =
        toldByNode.merge(new NodeOfCell(node, count.cell()), count.count() - before, Long::sum);
    violations.require(
        all <= truth.ofNode(count.cell(), node),
        "nothing is replayed that was not accepted",
        "%s tells %d of %s, and accepted %d",
        node,
        all,
        count.cell(),
        truth.ofNode(count.cell(), node));
  }

  /** A node sends a regional count. */
  void pushes(Node node, Component component) {
    trace.tell(node + " pushes " + words(component.cell()) + " = " + component.count());
    String region = node.region().name();
    long accepted =
        truth.ofNodes(component.cell(), other -> other.region().name().equals(region));
    violations.require(
        component.region().equals(region) && component.count() <= accepted,
        "nothing is pushed that the region did not accept",
        "%s tells %s of %s, and it accepted %d",
        node,
        component,
        region,
        accepted);
    violations.require(
        plan.isPublished(component.cell().series().scope()),
        "no window is published that is too short to profit",
        "%s tells %s",
        node,
        component);
  }

  static String words(WindowCell cell) {
    return cell.series().identifier() + "@" + cell.sequence();
  }

  /**
   * A node is about to be killed, while its origin works: what it accepted before its last messages
   * is safe.
   */
  void crashes(Node node) {
    long told = timeline.nowNanos() - TimeBounds.lossNanos(plan);
    for (Scenario.Subject subject : plan.subjects()) {
      WindowCell current = WindowCell.at(subject.series(), node.millis());
      for (WindowCell cell : List.of(current, current.previous())) {
        // By a clock that was set back, a cell may be counted in that the origin has let go.
        long kept = timeline.nowNanos() - 3 * cell.series().scope().windowMillis() * Scenario.MILLI;
        long safe = truth.since(cell, kept, other -> other == node)
            - truth.since(cell, told, other -> other == node);
        long held = held(node, cell);
        violations.require(
            held >= safe,
            "a node that is killed loses a tick of its counts at most",
            "%s had %d of %s before its last tick, and the origin has %d",
            node,
            safe,
            cell,
            held);
      }
    }
  }

  /** What the origin holds of what a node counted in a cell. */
  static long held(Node node, WindowCell cell) {
    return node.region().origin().byWriter(cell).entrySet().stream()
        .filter(part -> part.getKey().startsWith(node.name() + "."))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** A request has been answered now, or not yet. A node that was frozen cannot help it. */
  void waits(ObservedRequest request) {
    long asked = Math.max(request.nanos(), request.node().thawedNanos());
    long nanos = timeline.nowNanos() - asked;
    violations.require(
        nanos <= TimeBounds.answerNanos(plan),
        "every request is answered in time",
        "%s has not answered %s after %d ms",
        request.node(),
        request,
        nanos / Scenario.MILLI);
  }
}
