package io.tidegate.server.command;

import io.tidegate.rules.Entry;
import io.tidegate.rules.Explanation;
import io.tidegate.rules.Match;
import io.tidegate.rules.Rule;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.config.Durations;
import io.tidegate.server.log.Escaped;
import io.tidegate.server.rules.RuleFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks rule files, and shows which rule applies to a request. */
@Command(
    name = "rules",
    description = "Check rule files, and show which rule applies to a request.",
    synopsisSubcommandLabel = "COMMAND")
final class RulesCommand implements Runnable {

  private static final String DIRECTORY = "Directory of the files *.yaml, as in 'serve --rules'.";

  /** Names of windows that have one; others are shown as a duration. */
  private static final Map<Duration, String> UNITS = Map.of(
      Duration.ofSeconds(1), "second",
      Duration.ofMinutes(1), "minute",
      Duration.ofHours(1), "hour",
      Duration.ofDays(1), "day",
      Duration.ofDays(7), "week",
      Duration.ofDays(30), "month",
      Duration.ofDays(365), "year");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Override
  public void run() {
    throw Commands.missingCommand(command);
  }

  @Command(
      name = "check",
      description = {
        "Check rule files. Starts nothing and connects to nothing.",
        "",
        "Prints the number of files, domains and rules, or every error with its file and line.",
        "",
        "Exit codes: 0 valid, 1 errors, 2 invalid arguments."
      })
  void check(@Parameters(paramLabel = "DIRECTORY", description = DIRECTORY) Path directory)
      throws RuleException {
    RuleFiles files = RuleFiles.read(directory);
    RuleSet rules = files.load();
    out()
        .println("ok: " + number(files.count(), "file") + ", "
            + number(rules.domains().size(), "domain") + ", "
            + number(rules.rules().size(), "rule"));
  }

  @Command(
      name = "explain",
      description = {
        "Show which rule applies to a request, and why.",
        "",
        "The request is given by the entries of its descriptor, in the order in which the gateway sends them:",
        "tidegate rules explain rules generic_key=login remote_address=1.2.3.4"
      })
  void explain(
      @Parameters(index = "0", paramLabel = "DIRECTORY", description = DIRECTORY) Path directory,
      @Parameters(
              index = "1..*",
              arity = "1..*",
              paramLabel = "KEY=VALUE",
              description = "Entry of the descriptor. The value ends with the argument.")
          List<String> arguments,
      @Option(
              names = "--domain",
              paramLabel = "NAME",
              description = "Domain of the request. Required if the files have several.")
          @Nullable
          String domain)
      throws RuleException {
    List<Entry> entries = arguments.stream().map(this::entry).toList();
    RuleSet rules = RuleFiles.read(directory).load();
    String chosen = domain != null ? domain : onlyDomain(rules);
    print(chosen, rules.explain(chosen, entries));
  }

  private Entry entry(String argument) {
    int equals = argument.indexOf('=');
    if (equals < 1) {
      throw usageError("an entry must have the form KEY=VALUE: " + argument);
    }
    return new Entry(argument.substring(0, equals), argument.substring(equals + 1));
  }

  private String onlyDomain(RuleSet rules) {
    if (rules.domains().size() > 1) {
      throw usageError(
          "--domain is missing: the files have the domains " + String.join(", ", rules.domains()));
    }
    return rules.domains().iterator().next();
  }

  private void print(String domain, Explanation explanation) {
    print("domain " + domain);
    int number = 1;
    for (Explanation.Step step : explanation.steps()) {
      print("%d. %s: %s%s"
          .formatted(
              number++,
              step.entry(),
              step.reason(),
              step.source() == null ? "" : " (" + step.source() + ")"));
    }
    print(explanation.conclusion());
    if (explanation.match() != null) {
      print(explanation.match());
    }
  }

  private void print(Match match) {
    Rule rule = match.rule();
    print("  limit       " + limit(rule));
    if (!rule.name().isEmpty()) {
      print("  name        " + rule.name());
    }
    if (!rule.replaces().isEmpty()) {
      print("  replaces    " + String.join(", ", rule.replaces()));
    }
    print("  mode        " + mode(rule));
    print("  workspace   " + rule.domain());
    print("  namespace   " + rule.path());
    print("  identifier  " + match.identifier());
    print("  metric      " + match.metric());
  }

  private static String limit(Rule rule) {
    if (rule.unlimited()) {
      return "none: everything is allowed, and nothing is counted";
    }
    Duration window = Duration.ofMillis(rule.windowMillis());
    return rule.limit() + " per " + UNITS.getOrDefault(window, Durations.show(window))
        + (rule.limit() == 0 ? ", which denies everything" : "");
  }

  private static String mode(Rule rule) {
    if (rule.shadow()) {
      return "shadow: counted, but never denies";
    }
    return rule.quota()
        ? "quota: denies only if all quota rules of a request are over their limits"
        : "denies";
  }

  /** Prints a line, in which text of files and arguments cannot start another one. */
  private void print(String line) {
    out().println(Escaped.of(line));
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private static String number(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  private ParameterException usageError(String message) {
    return new ParameterException(
        Objects.requireNonNull(command.subcommands().get("explain")), message);
  }
}
