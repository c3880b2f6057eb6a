package io.tidegate.benchmarks;

import io.tidegate.benchmarks.HttpFigures.Load;
import io.tidegate.benchmarks.HttpFigures.Memory;
import io.tidegate.benchmarks.HttpFigures.Scenario;
import io.tidegate.report.Progress;
import io.tidegate.report.Words;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Measures everything that the settings ask for, with one server of each kind and one load. */
final class HttpRun {

  private static final int NO_BATCH = 1;
  private static final long ANY_NUMBER = Integer.MAX_VALUE;

  /** As many as a batch may have. */
  private static final int FILLING_BATCH = 100;

  private static final int FILLING_CONNECTIONS = 8;

  /** Long enough for the slowest machine; it ends when all series are there. */
  private static final int FILLING_MILLIS = 300_000;

  private final HttpSettings settings;
  private final Progress progress;
  private final List<Load> loads = new ArrayList<>();
  private final List<Memory> memories = new ArrayList<>();

  /** A server in its process. */
  private record Node(HttpProcess process, HttpNode.Address address) {}

  private final Map<HttpContender, Node> nodes = new EnumMap<>(HttpContender.class);
  private HttpProcess load;

  HttpRun(HttpSettings settings, PrintStream progress) {
    this.settings = settings;
    int scenarios = settings.connections().size() * settings.keys().size();
    int measured = settings.rounds() * (scenarios + settings.percents().size());
    int total = (2 + measured) * HttpContender.values().length;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  HttpFigures run() {
    try {
      load = HttpProcess.start(HttpLoad.class, settings.loadProcessor());
      memory();
      closedLoop();
      openLoop();
    } finally {
      progress.end();
      nodes.values().forEach(node -> node.process.close());
      if (load != null) {
        load.close();
      }
    }
    return new HttpFigures(loads, memories);
  }

  private Node start(HttpContender contender) {
    HttpProcess process = HttpProcess.start(
        HttpNode.class,
        settings.serverProcessor(),
        contender.name(),
        Integer.toString(settings.eventLoops()));
    Node node = new Node(process, process.hear(HttpNode.Address.class));
    nodes.put(contender, node);
    return node;
  }

  /** On servers that nobody has asked before, and that are not used again. */
  private void memory() {
    for (HttpContender contender : HttpContender.values()) {
      progress.next("memory, " + contender.label());
      Node node = start(contender);
      ask(node, new Scenario(1, 1, HttpFigures.NO_RATE), 0, settings.warmupMillis());
      HttpNode.Holding before = node.process.ask("now", HttpNode.Holding.class);
      HttpLoad.Outcome filling = load.ask(
          new HttpLoad.Order(
              node.address,
              FILLING_CONNECTIONS,
              settings.series(),
              FILLING_BATCH,
              0,
              FILLING_MILLIS,
              settings.series() / FILLING_BATCH),
          HttpLoad.Outcome.class);
      long resident = node.process.residentBytes();
      HttpNode.Holding after = node.process.ask("now", HttpNode.Holding.class);
      memories.add(new Memory(contender, before, after, resident, filling.seconds()));
      node.process.close();
    }
  }

  private void closedLoop() {
    for (HttpContender contender : HttpContender.values()) {
      progress.next("warm-up, " + contender.label());
      Scenario scenario =
          new Scenario(settings.mostConnections(), settings.mostKeys(), HttpFigures.NO_RATE);
      ask(start(contender), scenario, 0, settings.startMillis());
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int keys : settings.keys()) {
        for (int connections : settings.connections()) {
          measure(new Scenario(connections, keys, HttpFigures.NO_RATE), 0, round);
        }
      }
    }
  }

  /** At the same rates for both: parts of what Tidegate was found to answer at most. */
  private void openLoop() {
    Scenario most =
        new Scenario(settings.mostConnections(), settings.mostKeys(), HttpFigures.NO_RATE);
    double perSecond = new HttpFigures(loads, memories)
        .of(HttpContender.TIDEGATE, most, Load::perSecond)
        .median();
    for (int round = 1; round <= settings.rounds(); round++) {
      for (int percent : settings.percents()) {
        measure(
            new Scenario(most.connections(), most.keys(), percent),
            Math.max(1, (int) (perSecond * percent / 100)),
            round);
      }
    }
  }

  /** In the other order each round, so that nobody always follows the same neighbour. */
  private void measure(Scenario scenario, int perSecond, int round) {
    List<HttpContender> contenders = new ArrayList<>(Arrays.asList(HttpContender.values()));
    Collections.rotate(contenders, round);
    for (HttpContender contender : contenders) {
      progress.next("%s%s, %s"
          .formatted(
              scenario.label(),
              perSecond == 0 ? "" : ", " + Words.many(perSecond) + "/s",
              contender.label()));
      Node node = nodes.get(contender);
      ask(node, scenario, perSecond, settings.warmupMillis());
      double before = node.process.cpuSeconds();
      HttpLoad.Outcome outcome = ask(node, scenario, perSecond, settings.loadMillis());
      double after = node.process.cpuSeconds();
      loads.add(new Load(contender, scenario, round, outcome, after - before));
    }
  }

  private HttpLoad.Outcome ask(Node node, Scenario scenario, int perSecond, int millis) {
    return load.ask(
        new HttpLoad.Order(
            node.address,
            scenario.connections(),
            scenario.keys(),
            NO_BATCH,
            perSecond,
            millis,
            ANY_NUMBER),
        HttpLoad.Outcome.class);
  }
}
