package io.tidegate.server.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the wildcard override that applies to an identifier without trying all. Immutable.
 *
 * <p>Each wildcard is filed under one gram: up to four characters of its literal text, chosen to be
 * rare among the wildcards. It can match only identifiers that contain the gram. A look-up reads
 * the grams of the identifier in one pass and tries the wildcards filed under them, each at most
 * once. So the worst case, in which all wildcards share their grams, is a scan of all of them.
 */
final class WildcardIndex {

  /** Grams of a wildcard from which the rarest is chosen; more would slow down edits. */
  private static final int MAX_CHOICES = 32;

  private record Candidate(Wildcard wildcard, KnownOverride override) {

    /** Precedence: most literal characters first, then alphabetical order. */
    static final Comparator<Candidate> ORDER = Comparator.comparingInt(
            (Candidate candidate) -> -candidate.wildcard.literals())
        .thenComparing(candidate -> candidate.override.identifier());
  }

  /** In order of precedence; the index of a candidate is its rank. */
  private final Candidate[] candidates;

  /** For each number of a gram, the ranks of the wildcards filed under it, ascending. */
  private final int[][] ranks;

  /** One table for each length of grams in use. */
  private final GramTable[] tables;

  /** Rank of the first wildcard without literal text, which matches everything. */
  private final int everything;

  /** Creates an index of overrides whose pattern is a wildcard. */
  WildcardIndex(Collection<KnownOverride> overrides) {
    this.candidates = overrides.stream()
        .map(override -> new Candidate(Wildcard.of(override.identifier()), override))
        .sorted(Candidate.ORDER)
        .toArray(Candidate[]::new);
    List<List<Integer>> filed = new ArrayList<>();
    this.tables = file(filed);
    this.ranks = filed.stream()
        .map(list -> list.stream().mapToInt(rank -> rank).toArray())
        .toArray(int[][]::new);
    int first = 0;
    while (first < candidates.length && candidates[first].wildcard.literals() > 0) {
      first++;
    }
    this.everything = first;
  }

  /** The override that applies to an identifier; null if none does. */
  @Nullable
  KnownOverride find(String identifier) {
    int best = everything;
    long[] tried = null;
    for (GramTable table : tables) {
      long gram = 0;
      for (int end = 0; end < identifier.length(); end++) {
        gram = GramTable.next(gram, identifier.charAt(end), table.length());
        int number = end + 1 < table.length() ? -1 : table.find(gram);
        if (number >= 0) {
          if (tried == null) {
            tried = new long[(ranks.length + Long.SIZE - 1) >>> 6];
          }
          if ((tried[number >>> 6] & (1L << number)) == 0) {
            tried[number >>> 6] |= 1L << number;
            best = better(ranks[number], best, identifier);
          }
        }
      }
    }
    return best < candidates.length ? candidates[best].override : null;
  }

  /** The first of these ranks that matches, if it is before the best so far. */
  private int better(int[] filed, int best, String identifier) {
    for (int rank : filed) {
      if (rank >= best) {
        return best;
      }
      if (candidates[rank].wildcard.matches(identifier)) {
        return rank;
      }
    }
    return best;
  }

  /** Files each wildcard under its rarest gram. */
  private GramTable[] file(List<List<Integer>> filed) {
    List<long[]> choices = new ArrayList<>(candidates.length);
    List<Map<Long, Integer>> frequencies = new ArrayList<>();
    List<Map<Long, Integer>> numbers = new ArrayList<>();
    for (int length = 0; length <= GramTable.MAX_LENGTH; length++) {
      frequencies.add(new HashMap<>());
      numbers.add(new HashMap<>());
    }
    for (Candidate candidate : candidates) {
      long[] grams = grams(candidate.wildcard);
      choices.add(grams);
      for (long gram : grams) {
        frequencies.get(gramLength(candidate.wildcard)).merge(gram, 1, Integer::sum);
      }
    }
    for (int rank = 0; rank < candidates.length; rank++) {
      int length = gramLength(candidates[rank].wildcard);
      if (length > 0) {
        long rarest = rarest(choices.get(rank), frequencies.get(length));
        int number = numbers.get(length).computeIfAbsent(rarest, added -> {
          filed.add(new ArrayList<>());
          return filed.size() - 1;
        });
        filed.get(number).add(rank);
      }
    }
    List<GramTable> tables = new ArrayList<>();
    for (int length = 1; length < numbers.size(); length++) {
      if (!numbers.get(length).isEmpty()) {
        tables.add(new GramTable(length, numbers.get(length)));
      }
    }
    return tables.toArray(GramTable[]::new);
  }

  private static long rarest(long[] grams, Map<Long, Integer> frequencies) {
    long rarest = grams[0];
    int lowest = Integer.MAX_VALUE;
    for (long gram : grams) {
      int frequency = frequencies.getOrDefault(gram, 0);
      if (frequency < lowest) {
        lowest = frequency;
        rarest = gram;
      }
    }
    return rarest;
  }

  /** The longest gram that a literal part of the wildcard contains. */
  private static int gramLength(Wildcard wildcard) {
    int longest = 0;
    for (String part : wildcard.parts()) {
      longest = Math.max(longest, part.length());
    }
    return Math.min(longest, GramTable.MAX_LENGTH);
  }

  /** Grams of a wildcard's literal parts, evenly spread if there are many. */
  private static long[] grams(Wildcard wildcard) {
    int length = gramLength(wildcard);
    List<Long> grams = new ArrayList<>();
    for (String part : wildcard.parts()) {
      long gram = 0;
      for (int end = 0; end < part.length(); end++) {
        gram = GramTable.next(gram, part.charAt(end), length);
        if (end + 1 >= length) {
          grams.add(gram);
        }
      }
    }
    int step = Math.max(1, grams.size() / MAX_CHOICES);
    long[] chosen = new long[(grams.size() + step - 1) / step];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = grams.get(i * step);
    }
    return chosen;
  }
}
