package io.tidegate.simulator.fleet;

import io.tidegate.report.Machine;
import io.tidegate.report.Markdown;
import io.tidegate.report.Words;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What simulations have found, in Markdown. */
record FleetReport(
    Machine machine, boolean quick, List<FleetFigures> figures, List<NodeMemory> memory) {

  /**
   * Workspace, namespace, identifier and region of the traffic, numbers, and how rows are framed.
   */
  private static final int BYTES_PER_ROW = 100;

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    database(markdown);
    origins(markdown);
    memory(markdown);
    admission(markdown);
    agreement(markdown);
    effort(markdown);
    markdown.targets(new FleetTargets(figures).verdicts());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    FleetSettings any = figures.get(0).plan();
    markdown.machine(machine);
    markdown.line(
        "%s; %s measured in virtual time, after one in which the nodes start and one of warm-up; seed %d."
            .formatted(
                any.policy().label(),
                any.minutes() == 1 ? "a minute" : any.minutes() + " minutes",
                any.seed()));
    if (quick) {
      markdown.paragraph(
          "**A quick run**, for a first look: a quarter of the usual series, and one minute.");
    }
    markdown.paragraph(
        "All nodes and regions are simulated, and one in so many series. FleetFigures are those of the whole fleet: what each"
            + " series brings is multiplied, what each node brings whatever its series (rounds, and what it reads"
            + " to see whether the origin still knows) is not.");
    markdown.line("");
    markdown.header(
        List.of("", "regions", "nodes", "active series", "simulated", "requests/s", "denied"));
    for (FleetFigures one : figures) {
      FleetSize shape = one.plan().shape();
      markdown.row(
          one.plan().label(),
          List.of(
              Words.count(shape.regions()),
              Words.count(shape.nodes()),
              Words.count(shape.series()),
              Words.count(one.plan().series()),
              Words.many(one.whole().requests()),
              percent(one.denials() / one.requests())));
    }
  }

  private void database(Markdown markdown) {
    markdown.heading("the database");
    markdown.line(
        "Written are rows of INSERT statements, ± the standard error of the sample; shared series are those that are used in several regions. Read are rows that pulls brought, of"
            + " which news were not known to the node. A pull is two SELECTs. Bytes are %d a row, which is an estimate."
                .formatted(BYTES_PER_ROW));
    markdown.line("");
    markdown.header(List.of(
        "",
        "INSERTs/s",
        "rows written/s",
        "±",
        "of shared series",
        "SELECTs/s",
        "rows read/s",
        "news",
        "MB read/s",
        "live rows",
        "rows read/s by each node"));
    for (FleetFigures one : figures) {
      FleetFigures whole = one.whole();
      markdown.row(
          one.plan().label(),
          List.of(
              Words.figure(whole.pushes()),
              Words.many(whole.rowsWritten()),
              one.plan().isFull() ? Words.UNMEASURED : percent(whole.rowsError()),
              percent(whole.rowsOfShared() / whole.rowsWritten()),
              Words.figure(2 * whole.pulls()),
              Words.many(whole.rowsRead()),
              percent(whole.news() / whole.rowsRead()),
              Words.figure(whole.rowsRead() * BYTES_PER_ROW / 1e6),
              Words.many(whole.liveRows()),
              Words.many(whole.rowsRead() / one.plan().shape().nodes())));
    }
  }

  private void origins(Markdown markdown) {
    markdown.heading("the origins");
    markdown.line(
        "Counts that nodes tell, cells that they read for decisions, and cells that they read to see whether they are"
            + " still known; per second. For Redis, a count is three commands, and a cell one.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "counts/s",
        "cells read/s",
        "of patrols",
        "commands/s, all regions",
        "busiest region: counts/s",
        "cells read/s",
        "of patrols",
        "commands/s"));
    for (FleetFigures one : figures) {
      OriginLoad all = one.whole().origins();
      OriginLoad busiest = one.whole().busiest();
      markdown.row(
          one.plan().label(),
          List.of(
              Words.many(all.writes()),
              Words.many(all.reads()),
              Words.many(all.patrolReads()),
              Words.many(all.redisCommands()),
              Words.many(busiest.writes()),
              Words.many(busiest.reads()),
              Words.many(busiest.patrolReads()),
              Words.many(busiest.redisCommands())));
    }
  }

  private void memory(Markdown markdown) {
    markdown.heading("the memory of a node");
    markdown.line(
        "Series that a node is asked for, and holds: the others it has heard of from the database. Bytes are measured on"
            + " a node by itself, and grow with the regions, since a node keeps what each of them told. Evicted are"
            + " live series that had to make room, when there are as many as there may be.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "asked for",
        "heard of",
        "most that it may hold",
        "B for one asked for",
        "B for one heard of",
        "MB",
        "evicted/s by each node"));
    IntStream.range(0, figures.size()).forEach(i -> {
      FleetFigures whole = figures.get(i).whole();
      NodeMemory bytes = memory.get(i);
      double heard = Math.max(0, whole.heldSeries() - whole.usedSeries());
      markdown.row(
          whole.plan().label(),
          List.of(
              Words.many(whole.usedSeries()),
              Words.many(heard),
              Words.count(whole.plan().maxSeries()),
              Words.bytes(bytes.used()),
              Words.bytes(bytes.heard()),
              Words.figure((whole.usedSeries() * bytes.used() + heard * bytes.heard()) / 1e6),
              Words.figure(whole.evictions() / whole.plan().shape().nodes())));
    });
  }

  private void admission(Markdown markdown) {
    markdown.heading("how much of a limit is admitted");
    markdown.line("The most that was admitted of a series within any 60 s, by its limit.");
    markdown.line("");
    markdown.header(List.of(
        "", "series", "p50", "p90", "p99", "p99.9", "max", "over 1.05", "over 1.10", "over 1.50"));
    for (FleetFigures one : figures) {
      String label = one.plan().label();
      markdown.row(label, distribution(one.all()));
      markdown.row(label + ", used in several regions", distribution(one.shared()));
      markdown.row(
          label + ", used in several regions and asked for more than its limit",
          distribution(one.tooMuch()));
    }
  }

  private static List<String> distribution(PeakDistribution admission) {
    return List.of(
        Words.count(admission.series()),
        times(admission.p50()),
        times(admission.p90()),
        times(admission.p99()),
        times(admission.p999()),
        times(admission.max()),
        percent(admission.over105()),
        percent(admission.over110()),
        percent(admission.over150()));
  }

  /** How a sample's figures compare with those of all series, where there are both. */
  private void agreement(Markdown markdown) {
    for (FleetFigures full : figures) {
      for (FleetFigures one : figures) {
        if (full.plan().isFull()
            && !one.plan().isFull()
            && full.plan().shape().equals(one.plan().shape())) {
          agreement(full.whole(), one.whole(), markdown);
        }
      }
    }
  }

  private static void agreement(FleetFigures full, FleetFigures sample, Markdown markdown) {
    markdown.heading("what a sample is worth: %s".formatted(full.plan().shape().label()));
    markdown.line(
        "The figures of one in %d, multiplied, next to those of all. The sample has the same mix of limits, of hot and of"
                .formatted(sample.plan().sample())
            + " shared series; who asks how often is drawn. Rows are mostly those of a few series, hot and shared:"
            + " their standard error is what may be expected.");
    markdown.line("");
    markdown.header(List.of("", "all series", "by the sample", "ratio", "standard error"));
    String error = percent(sample.rowsError());
    compare("requests/s", full.requests(), sample.requests(), "", markdown);
    compare("rows written/s", full.rowsWritten(), sample.rowsWritten(), error, markdown);
    compare("rows read/s", full.rowsRead(), sample.rowsRead(), error, markdown);
    compare("live rows", full.liveRows(), sample.liveRows(), "", markdown);
    compare("INSERTs/s", full.pushes(), sample.pushes(), "", markdown);
    compare("pulls/s", full.pulls(), sample.pulls(), "", markdown);
    compare(
        "counts told to origins/s",
        full.origins().writes(),
        sample.origins().writes(),
        "",
        markdown);
    compare(
        "cells read for decisions/s",
        full.origins().reads(),
        sample.origins().reads(),
        "",
        markdown);
    compare(
        "cells read by patrols/s",
        full.origins().patrolReads(),
        sample.origins().patrolReads(),
        "",
        markdown);
    compare("series that a node holds", full.heldSeries(), sample.heldSeries(), "", markdown);
  }

  private static void compare(
      String what, double full, double sample, String error, Markdown markdown) {
    markdown.row(what, List.of(Words.many(full), Words.many(sample), times(sample / full), error));
  }

  private void effort(Markdown markdown) {
    markdown.heading("how fast that was");
    markdown.line(
        "Each fleet by one thread, two at once. Virtual seconds of the windows that were measured.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "virtual seconds per second",
        "virtual seconds per second of CPU",
        "events per virtual second"));
    for (FleetFigures one : figures) {
      markdown.row(
          one.plan().label(),
          List.of(
              Words.figure(one.effort().speed()),
              Words.figure(one.effort().speedByCpu()),
              Words.many(one.effort().events() / one.effort().virtualSeconds())));
    }
  }

  private static String times(double times) {
    return String.format(Locale.ROOT, "%.2f", times);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, part > 0 && part < 0.01 ? "%.2f %%" : "%.1f %%", 100 * part);
  }
}
