package io.tidegate.rules;

import io.tidegate.model.Bounds;
import io.tidegate.rules.RuleNode.Option;
import io.tidegate.rules.RuleSet.Domain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks files and builds the set of their rules. Continues after an error, to report all. */
final class RuleSetBuilder {

  /** Enough to recognize a text. */
  private static final int MAX_QUOTED = 128;

  private final Map<String, Domain> domains = new HashMap<>();
  private final List<Rule> rules = new ArrayList<>();
  private final List<RuleError> errors = new ArrayList<>();

  private RuleSetBuilder() {}

  static RuleSet build(List<RuleFile> files) throws RuleException {
    RuleSetBuilder builder = new RuleSetBuilder();
    files.forEach(builder::add);
    if (!builder.errors.isEmpty()) {
      throw new RuleException(builder.errors);
    }
    return new RuleSet(Map.copyOf(builder.domains), builder.rules, byName(builder.rules));
  }

  /** By domain and name, the rules of that name with different limits. */
  private static Map<String, Map<String, List<Rule>>> byName(List<Rule> rules) {
    Map<String, Map<String, List<Rule>>> named = new HashMap<>();
    for (Rule rule : rules) {
      if (!rule.name().isEmpty()) {
        List<Rule> same = named
            .computeIfAbsent(rule.domain(), domain -> new HashMap<>())
            .computeIfAbsent(rule.name(), name -> new ArrayList<>());
        if (same.stream().noneMatch(rule::hasSameLimit)) {
          same.add(rule);
        }
      }
    }
    return named;
  }

  private void add(RuleFile file) {
    FileRules added = new FileRules(file);
    Descriptors top = added.addAll(null, file.descriptors());
    added.checkDomain();
    errors.addAll(added.sortedErrors());
    domains.putIfAbsent(file.domain(), new Domain(RuleError.source(file.name(), file.line()), top));
  }

  /** The rules and errors of one file. */
  private final class FileRules {

    private final RuleFile file;
    private final List<RuleError> found;

    FileRules(RuleFile file) {
      this.file = file;
      this.found = new ArrayList<>(file.errors());
    }

    List<RuleError> sortedErrors() {
      found.sort(Comparator.comparingInt(RuleError::line));
      return found;
    }

    void checkDomain() {
      if (file.domain().isEmpty()) {
        if (file.line() > 0 || file.errors().isEmpty()) { // else the file was not parsed
          reject(file.line(), "domain is missing or empty");
        }
        return;
      }
      checkLength(file.line(), "domain", file.domain());
      Domain same = domains.get(file.domain());
      if (same != null) {
        reject(
            file.line(),
            "duplicate domain %s: %s has it too; all rules of a domain must be in one file"
                .formatted(quoted(file.domain()), same.source()));
      }
    }

    Descriptors addAll(@Nullable Descriptor above, List<RuleNode> nodes) {
      Descriptors level = new Descriptors();
      for (RuleNode node : nodes) {
        Descriptor descriptor = new Descriptor(above, node, source(node.line()));
        check(node, descriptor, level.add(descriptor));
        if (!node.descriptors().isEmpty()) {
          descriptor.setBelow(addAll(descriptor, node.descriptors()));
        }
      }
      return level;
    }

    private void check(RuleNode node, Descriptor descriptor, @Nullable Descriptor same) {
      if (node.key().isEmpty()) {
        reject(node.line(), "descriptor has no key, or an empty one");
        return;
      }
      if (Wildcard.isIn(node.key())) {
        reject(
            node.line(), "key must not contain '*', which only values may: " + quoted(node.key()));
      }
      if (same != null) {
        reject(
            node.line(),
            "duplicate descriptor %s: %s has the same key and value"
                .formatted(quoted(descriptor.path()), same.source()));
      }
      if (descriptor.sharesThreshold() && !descriptor.isWildcard()) {
        reject(
            node.line(),
            "share_threshold needs a value with a wildcard '*': " + quoted(descriptor.path())
                + " has none");
      }
      if (node.limit() != null) {
        checkLength(node.line(), "path of the rule", descriptor.path());
        addRule(node, node.limit(), descriptor);
      }
    }

    private void addRule(RuleNode node, RuleLimit limit, Descriptor descriptor) {
      checkReplaces(limit);
      LimitReader reader = new LimitReader(limit, message -> reject(limit.line(), message));
      Rule rule = new Rule(
          file.domain(),
          descriptor.path(),
          limit.name(),
          reader.tokens(),
          reader.windowMillis(),
          limit.unlimited(),
          node.options().contains(Option.SHADOW_MODE),
          node.options().contains(Option.QUOTA_MODE),
          node.options().contains(Option.RECORD),
          new HashSet<>(limit.replaces()),
          node.metadata(),
          descriptor.source());
      descriptor.setRule(rule);
      rules.add(rule);
    }

    private void checkReplaces(RuleLimit limit) {
      for (String replaced : limit.replaces()) {
        if (replaced.isEmpty()) {
          reject(limit.line(), "replaces has an entry without a name");
        } else if (replaced.equals(limit.name())) {
          reject(
              limit.line(), "replaces must not contain the limit's own name: " + quoted(replaced));
        }
      }
    }

    private void checkLength(int line, String what, String text) {
      int length = text.codePointCount(0, text.length());
      if (length > Bounds.MAX_NAME_LENGTH) {
        reject(
            line,
            "%s must have at most %d characters, it has %d: %s"
                .formatted(what, Bounds.MAX_NAME_LENGTH, length, quoted(text)));
      }
    }

    private String source(int line) {
      return RuleError.source(file.name(), line);
    }

    private void reject(int line, String message) {
      found.add(new RuleError(file.name(), line, message));
    }
  }

  /** A text of a file for a message: in quotes, and shortened. */
  private static String quoted(String text) {
    return text.length() <= MAX_QUOTED
        ? "'" + text + "'"
        : "'" + text.substring(0, text.offsetByCodePoints(0, MAX_QUOTED / 2)) + "...'";
  }

  /** Reads tokens and window of a limit. */
  private record LimitReader(RuleLimit limit, Consumer<String> reject) {

    /** The tokens; 0 after an error, and if the limit is unlimited. */
    long tokens() {
      Long tokens = limit.requestsPerUnit();
      if (limit.unlimited()) {
        return 0;
      }
      if (tokens == null) {
        reject.accept("rate_limit needs requests_per_unit; 0 denies everything");
        return 0;
      }
      if (tokens < 0 || tokens > Bounds.MAX_TOKENS) {
        reject.accept(
            "requests_per_unit must be between 0 and %d: %d".formatted(Bounds.MAX_TOKENS, tokens));
      }
      return tokens;
    }

    /** The window; 0 after an error, and if the limit is unlimited. */
    long windowMillis() {
      boolean hasUnit = !limit.unit().isEmpty();
      boolean hasWindow = !limit.window().isEmpty();
      if (limit.unlimited()) {
        if (hasUnit || hasWindow) {
          reject.accept("unlimited rate_limit must not have a unit or window");
        }
        return 0;
      }
      if (hasUnit && hasWindow) {
        reject.accept("rate_limit must have a unit or a window, not both");
        return 0;
      }
      return hasWindow ? ofWindow() : ofUnit(hasUnit);
    }

    private long ofUnit(boolean given) {
      return WindowText.ofUnit(limit.unit()).orElseGet(() -> {
        reject.accept(
            given
                ? "unit must be one of %s: %s".formatted(WindowText.UNITS, quoted(limit.unit()))
                : "rate_limit needs a unit (%s) or a window such as 10m"
                    .formatted(WindowText.UNITS));
        return 0L;
      });
    }

    private long ofWindow() {
      return WindowText.ofWindow(limit.window()).orElseGet(() -> {
        reject.accept("window must be between 1s and 366d, such as 30s, 10m, 12h or 7d: "
            + quoted(limit.window()));
        return 0L;
      });
    }
  }
}
