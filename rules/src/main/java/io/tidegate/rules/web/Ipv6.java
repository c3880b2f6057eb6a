package io.tidegate.rules.web;

import org.jspecify.annotations.Nullable;

/**
 * Reads IPv6 addresses, without the lookup of names that {@link java.net.InetAddress} performs for
 * texts that are no addresses.
 */
final class Ipv6 {

  private static final int GROUPS = 8;
  private static final int MAX_GROUP_DIGITS = 4;

  private Ipv6() {}

  /**
   * Parses an address: eight groups of hexadecimal digits, of which {@code ::} stands for zeros,
   * and of which the last two may be an IPv4 address. A zone such as {@code %eth0} is ignored.
   *
   * @return eight groups; null if the text is no IPv6 address
   */
  static int @Nullable [] parse(String text) {
    int zone = text.indexOf('%');
    String address = zone < 0 ? text : text.substring(0, zone);
    int gap = address.indexOf("::");
    int[] groups = new int[GROUPS];
    if (gap < 0) {
      return read(address, groups) == GROUPS ? groups : null;
    }
    String head = address.substring(0, gap);
    if (head.indexOf('.') >= 0) {
      return null; // an IPv4 address must be at the end
    }
    int[] tail = new int[GROUPS];
    int before = read(head, groups);
    int after = read(address.substring(gap + 2), tail);
    if (before < 0 || after < 0 || before + after >= GROUPS) {
      return null;
    }
    System.arraycopy(tail, 0, groups, GROUPS - after, after);
    return groups;
  }

  /**
   * Reads groups that are separated by colons, and returns their number; -1 if they are invalid.
   */
  private static int read(String text, int[] groups) {
    if (text.isEmpty()) {
      return 0;
    }
    int count = 0;
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean isIpv4 = i == parts.length - 1 && parts[i].indexOf('.') >= 0;
      if (count + (isIpv4 ? 2 : 1) > GROUPS) {
        return -1;
      }
      long value = isIpv4 ? ipv4(parts[i]) : number(parts[i], 16, MAX_GROUP_DIGITS);
      if (value < 0) {
        return -1;
      }
      if (isIpv4) {
        groups[count++] = (int) (value >> 16);
      }
      groups[count++] = (int) (value & 0xffff);
    }
    return count;
  }

  /** The 32 bits of a dotted IPv4 address; -1 if it is invalid. */
  private static long ipv4(String text) {
    String[] parts = text.split("\\.", -1);
    long bits = 0;
    for (String part : parts) {
      int value = number(part, 10, 3);
      if (value < 0 || value > 255) {
        return -1;
      }
      bits = bits << 8 | value;
    }
    return parts.length == 4 ? bits : -1;
  }

  private static int number(String digits, int radix, int maxDigits) {
    if (digits.isEmpty() || digits.length() > maxDigits) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 128 ? Character.digit(c, radix) : -1; // digits of other scripts are none
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }
}
