package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.rules.RuleNode.Option;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The search compared with its description, {@link RuleSearch}, on random rules and requests. */
class RuleSetPropertyTest {

  /** Few, so that rules and requests often have the same. */
  private static final String[] KEYS = {"a", "b", "a,b"};

  private static final String[] PARTS = {"x", "y", "xy", "|", "\\", "=", ",", "_"};

  @Test
  void findsTheRuleThatTheDescriptionSelects() {
    Property.check(5_000, random -> {
      RuleFile file = file(random);
      RuleSet rules = RuleSet.of(List.of(file));
      for (List<Entry> entries : random.list(1, 10, () -> request(random))) {
        RuleSearch expected = new RuleSearch(file, entries);
        Match match = rules.find("d", entries);
        if (expected.rule() == null) {
          assertThat(match).as("%s in %s", entries, file).isNull();
        } else {
          assertThat(match).as("%s in %s", entries, file).isNotNull();
          assertThat(match.rule().source()).isEqualTo("f:" + expected.rule().line());
          assertThat(match.metric()).isEqualTo(expected.metric());
        }
        assertThat(rules.explain("d", entries).match()).isEqualTo(match);
      }
    });
  }

  /** Otherwise requests of different clients would share a count, or those of one would not. */
  @Test
  void countsAreTheSameIfAndOnlyIfTheEntriesAre() {
    Property.check(5_000, random -> {
      RuleFile file = file(random);
      RuleSet rules = RuleSet.of(List.of(file));
      List<List<Entry>> requests = random.list(2, 10, () -> request(random));
      for (List<Entry> one : requests) {
        for (List<Entry> other : requests) {
          Match match = rules.find("d", one);
          Match another = rules.find("d", other);
          if (match != null && another != null) {
            boolean same =
                new RuleSearch(file, one).identity().equals(new RuleSearch(file, other).identity());
            assertThat(match.identifier().equals(another.identifier())
                    && match.rule().path().equals(another.rule().path()))
                .as("%s and %s in %s", one, other, file)
                .isEqualTo(same);
          }
        }
      }
    });
  }

  @Test
  void wildcardsMatchAsRegularExpressionsDo() {
    Property.check(20_000, random -> {
      String wildcard =
          random.text(0, 4, "*", "a", "b", "ab") + "*" + random.text(0, 4, "*", "a", "b");
      String value = random.text(0, 8, "a", "b", "ab", "*");
      assertThat(new Wildcard(wildcard).matches(value))
          .as("%s matches %s", value, wildcard)
          .isEqualTo(RuleSearch.matches(wildcard, value));
    });
  }

  private static RuleFile file(Generator random) {
    return RuleFile.of("f", "d", level(random, 3, new int[1]));
  }

  private static List<RuleNode> level(Generator random, int depth, int[] lines) {
    List<RuleNode> nodes = new ArrayList<>();
    Set<Entry> taken = new HashSet<>();
    for (int i = random.length(0, 5); i > 0; i--) {
      String key = random.oneOf(KEYS);
      String value = random.nextInt(3) == 0 ? "" : value(random, random.nextBoolean());
      if (taken.add(new Entry(key, value))) {
        nodes.add(new RuleNode(
            ++lines[0],
            key,
            value,
            random.nextInt(3) == 0 ? null : RuleLimit.of(random.nextInt(5), "minute"),
            depth == 0 || random.nextBoolean() ? List.of() : level(random, depth - 1, lines),
            options(random, value),
            Map.of()));
      }
    }
    return nodes;
  }

  private static Set<Option> options(Generator random, String value) {
    Set<Option> options = EnumSet.noneOf(Option.class);
    for (Option option : Option.values()) {
      boolean valid = option != Option.SHARE_THRESHOLD || value.contains("*");
      if (valid && random.nextInt(3) == 0) {
        options.add(option);
      }
    }
    return options;
  }

  private static List<Entry> request(Generator random) {
    return random.list(
        1, 4, () -> new Entry(random.oneOf(KEYS), value(random, random.nextInt(10) == 0)));
  }

  private static String value(Generator random, boolean wildcard) {
    return random.text(0, 3, PARTS) + (wildcard ? "*" + random.text(0, 2, PARTS) : "");
  }
}
