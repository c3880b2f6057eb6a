package io.tidegate.testing.property;

import java.util.Random;

/**
 * Runs a test against many generated inputs.
 *
 * <pre>{@code
 * @Test
 * void reversingTwiceChangesNothing() {
 *   Property.check(1_000, random -> {
 *     String text = random.text(0, 20, "a", "b", "é");
 *     assertThat(reverse(reverse(text))).isEqualTo(text);
 *   });
 * }
 * }</pre>
 *
 * <p>Each try has a seed, new in every run of the tests, and a size, which bounds the lists and
 * texts that the {@link Generator} creates. The first tenth of the tries grows from size 0 to 100
 * percent, the others have 100. When a try fails, it is repeated with the same seed and every
 * smaller size, and the smallest that fails is reported: usually the shortest input that shows the
 * bug. The failure names seed and size; run that try alone with
 * {@code -Dtidegate.property=SEED/SIZE}.
 */
public final class Property {

  /** The system property that selects a single try, for example {@code 4711/12}. */
  static final String SELECTED = "tidegate.property";

  private Property() {}

  /** A test of one generated input. */
  @FunctionalInterface
  public interface Check {

    /**
     * Fails by throwing.
     *
     * @param random the source of the input
     * @throws Exception if the property does not hold
     */
    void run(Generator random) throws Exception;
  }

  /**
   * Runs a test with different inputs until one fails.
   *
   * @param tries how many inputs
   * @param check the test; it must take all randomness from the generator, so that a seed repeats
   *     it
   * @throws AssertionError if a try fails; the message names its seed, the cause is what it threw
   */
  public static void check(int tries, Check check) {
    String selected = System.getProperty(SELECTED);
    if (selected != null) {
      Try.parse(selected).runOrThrow(check);
      return;
    }
    Random seeds = new Random();
    for (int i = 0; i < tries; i++) {
      int size = (int) Math.min(Generator.FULL_SIZE, 10L * Generator.FULL_SIZE * i / tries);
      Try next = new Try(seeds.nextLong(), size);
      if (!next.passes(check)) {
        next.smallestFailure(check).runOrThrow(check);
        throw new AssertionError("does not always fail with -D" + SELECTED + "=" + next
            + ": the test takes randomness from elsewhere, or depends on earlier tries");
      }
    }
  }

  /**
   * One run of a test.
   *
   * @param seed the seed of the generator
   * @param size bounds the input, 0 to {@link Generator#FULL_SIZE}
   */
  private record Try(long seed, int size) {

    static Try parse(String text) {
      String[] parts = text.split("/", 2);
      return new Try(
          Long.parseLong(parts[0]),
          parts.length == 1 ? Generator.FULL_SIZE : Integer.parseInt(parts[1]));
    }

    boolean passes(Check check) {
      try {
        check.run(new Generator(seed, size));
        return true;
      } catch (Exception | Error e) { // runOrThrow repeats and reports it
        return false;
      }
    }

    Try smallestFailure(Check check) {
      for (int smaller = 0; smaller < size; smaller++) {
        Try candidate = new Try(seed, smaller);
        if (!candidate.passes(check)) {
          return candidate;
        }
      }
      return this;
    }

    void runOrThrow(Check check) {
      try {
        check.run(new Generator(seed, size));
      } catch (Exception | Error e) {
        throw new AssertionError(
            "fails with -D" + SELECTED + "=" + this + ": " + e.getMessage(), e);
      }
    }

    @Override
    public String toString() {
      return seed + "/" + size;
    }
  }
}
