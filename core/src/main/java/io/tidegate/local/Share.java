package io.tidegate.local;

/**
 * The arithmetic of a node's share: what it may admit of a series before the origin has confirmed
 * it. A node may have unconfirmed, with the request in question,
 *
 * <pre>
 * unconfirmed &lt;= (limit - effective count without the unconfirmed tokens) / divisor
 * </pre>
 *
 * <p>With {@code n} live nodes the divisor is {@code 2 n}: all nodes together can have spent half
 * of what is left when the next answers arrive. A divisor of {@code n} would let them spend all of
 * it at once, each without the others' knowledge. A divisor of 1 lets a node spend everything.
 *
 * <p>Own counts are less than 2^40 and divisors less than 2^20, so no product overflows.
 */
final class Share {

  /** The divisor of a node by itself, which need not ask. */
  static final int ALONE = 1;

  private Share() {}

  /** The divisor for this number of live nodes. */
  static int divisor(int nodes) {
    return nodes <= 1 ? ALONE : 2 * Math.min(nodes, 1 << 18);
  }

  /** The part of an own count that counts against the share. */
  static long unconfirmed(long own, long confirmed, int divisor) {
    return divisor == ALONE ? 0 : own - confirmed;
  }

  /**
   * Whether more than the share is spent.
   *
   * @param effective the effective count, including the unconfirmed tokens
   * @param unconfirmed tokens that this node has admitted and the origin has not confirmed
   */
  static boolean isExceeded(long effective, long unconfirmed, int divisor, long limit) {
    return unconfirmed > 0 && effective + unconfirmed * (divisor - 1) > limit;
  }

  /** Whether more than half of the share is spent; the same parameters. */
  static boolean isHalfSpent(long effective, long unconfirmed, int divisor, long limit) {
    return unconfirmed > 0 && effective + unconfirmed * (2L * divisor - 1) > limit;
  }
}
