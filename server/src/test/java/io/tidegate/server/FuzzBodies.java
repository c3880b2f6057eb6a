package io.tidegate.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Generates valid and nearly valid bodies; the same ones for the same seed. */
final class FuzzBodies {

  private static final List<String> TEXTS = List.of(
      "\"fuzz\"",
      "\"user_1\"",
      "\"*\"",
      "\"a*b*c\"",
      "\"\\u0000\\u0001\\u007f\"",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
      "\"\\ud83d\\ude00\"",
      "\"\\uD83D\\uDE00\"",
      "\"\ud83d\ude00\u00e4\u4e2d\u202e\ufeff\uffff\"",
      "\"" + "x".repeat(512) + "\"",
      "\"" + "\ud83d\ude00".repeat(512) + "\"",
      "\"" + "\\ud83d\\ude00".repeat(512) + "\"");

  private static final List<String> INVALID_TEXTS = List.of(
      "\"\"",
      "\"" + "x".repeat(513) + "\"",
      "\"" + "\ud83d\ude00".repeat(513) + "\"",
      "\"" + "x".repeat(100_000) + "\"",
      "\"\\ud83d\"",
      "\"\\ude00\"",
      "\"\\ude00\\ud83d\"",
      "\"a\\ud800b\"",
      "\"\\u12\"",
      "\"\\x41\"",
      "\"\\u{41}\"",
      "\"a\tb\"",
      "\"a\nb\"",
      "\"a\0b\"",
      "\"open",
      "'single'",
      "bare");

  private static final List<String> NUMBERS = List.of(
      "1",
      "10",
      "1000",
      "60000",
      "100",
      "2592000000",
      "1000000000000",
      "0",
      "-0",
      "1.0",
      "1e3",
      "1E3",
      "1e+3",
      "0.6e5");

  private static final List<String> INVALID_NUMBERS = List.of(
      "-1",
      "1.5",
      "1e-3",
      "1e13",
      "1e999999999",
      "1e99999999999",
      "1e-99999999999",
      "1.",
      ".5",
      "01",
      "007",
      "-01",
      "+1",
      "0x10",
      "1_000",
      "1 000",
      "NaN",
      "-NaN",
      "Infinity",
      "-Infinity",
      "INF",
      "--1",
      "-",
      "1-",
      "\"1\"",
      "2592000001",
      "1000000000001",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775808",
      "-9223372036854775809",
      "18446744073709551616",
      "1" + "0".repeat(500),
      "1" + "0".repeat(1_500),
      "1" + "0".repeat(20_000),
      "-" + "9".repeat(999),
      "0." + "0".repeat(5_000) + "1",
      "1e" + "9".repeat(2_000));

  private static final List<String> OTHER_VALUES = List.of(
      "null",
      "true",
      "false",
      "[]",
      "{}",
      "[1]",
      "{\"a\":1}",
      "nul",
      "True",
      "undefined",
      "",
      "[".repeat(31) + "]".repeat(31),
      "[".repeat(40) + "]".repeat(40),
      "{\"a\":".repeat(40) + "1" + "}".repeat(40),
      "[".repeat(2_000) + "]".repeat(2_000),
      "[".repeat(5_000),
      "// no\n1",
      "/* no */ 1",
      "# no\n1");

  private static final List<String> UNKNOWN_NAMES = List.of(
      "async",
      "namespaceId",
      "Namespace",
      "limit ",
      "",
      "\\u0000",
      "\\ud800",
      "\\udc00\\ud800",
      "\\ud83d\\ude00",
      "n".repeat(60_000),
      "__proto__",
      "<script>");

  private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t", "\r\n", " \t ");

  /**
   * Invalid UTF-8: lone and missing continuation bytes, overlong forms, surrogates, code points
   * beyond Unicode.
   */
  private static final List<String> INVALID_UTF_8 = List.of(
      "\u0080",
      "\u00bf",
      "\u00c3",
      "\u00e2\u0082",
      "\u00f0\u009f\u0098",
      "\u00c0\u00af",
      "\u00c1\u0081",
      "\u00e0\u0080\u00af",
      "\u00f0\u0080\u0080\u00af",
      "\u00ed\u00a0\u0080",
      "\u00ed\u00a0\u00bd\u00ed\u00b8\u0080",
      "\u00f4\u0090\u0080\u0080",
      "\u00f8\u0088\u0080\u0080\u0080",
      "\u00fe",
      "\u00ff");

  private final Random random;

  FuzzBodies(long seed) {
    this.random = new Random(seed);
  }

  /** The next body for a route. */
  byte[] next(FuzzRoute route) {
    String text = route.isArray() ? array(route) : object(route);
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return switch (random.nextInt(8)) {
      case 0, 1 -> damage(body);
      case 2 -> random.nextInt(4) == 0 ? encode(text) : body;
      default -> body;
    };
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private boolean rarely() {
    return random.nextInt(16) == 0;
  }

  private String space() {
    return any(SPACES);
  }

  private String array(FuzzRoute route) {
    int size = rarely() ? random.nextInt(103) : 1 + random.nextInt(3);
    List<String> objects = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      objects.add(rarely() ? any(OTHER_VALUES) : object(route));
    }
    return rarely()
        ? object(route)
        : space() + "[" + space() + String.join("," + space(), objects) + "]" + space();
  }

  private String object(FuzzRoute route) {
    List<String> properties = new ArrayList<>();
    for (FuzzRoute.Property property : route.properties()) {
      boolean given = property.required() ? random.nextInt(40) > 0 : random.nextBoolean();
      for (int i = 0; given && i < (random.nextInt(60) == 0 ? 2 : 1); i++) {
        properties.add(space() + "\"" + name(property) + "\"" + space() + ":" + space()
            + value(property) + space());
      }
    }
    if (rarely()) {
      String value = random.nextBoolean() ? any(NUMBERS) : any(OTHER_VALUES);
      properties.add("\"" + any(UNKNOWN_NAMES) + "\":" + value);
    }
    Collections.shuffle(properties, random);
    return space() + "{" + String.join(",", properties) + (random.nextInt(60) == 0 ? "," : "") + "}"
        + (random.nextInt(60) == 0 ? "x" : "");
  }

  /** The name of a property, sometimes with escapes. */
  private String name(FuzzRoute.Property property) {
    String name = property.name();
    return rarely() ? "\\u%04x%s".formatted((int) name.charAt(0), name.substring(1)) : name;
  }

  private String value(FuzzRoute.Property property) {
    int kind = random.nextInt(30);
    if (kind == 0) {
      return any(OTHER_VALUES);
    }
    if (property.isText()) {
      return kind == 1 ? any(INVALID_TEXTS) : kind == 2 ? any(NUMBERS) : any(TEXTS);
    }
    if (kind <= 2) {
      return any(INVALID_NUMBERS);
    }
    return kind == 3 ? any(NUMBERS) : Long.toString(property.least() + random.nextInt(50));
  }

  private byte[] damage(byte[] body) {
    ByteArrayOutputStream damaged = new ByteArrayOutputStream();
    int at = random.nextInt(body.length + 1);
    int to = Math.min(body.length, at + random.nextInt(20));
    damaged.write(body, 0, at);
    switch (random.nextInt(8)) {
      case 0 -> {} // truncated
      case 1 -> damaged.write(body, to, body.length - to);
      case 2 -> damaged.write(body, at / 2, body.length - at / 2);
      case 3 -> {
        damaged.write(random.nextInt(256));
        damaged.write(body, at, body.length - at);
      }
      case 4 -> {
        damaged.writeBytes(any(INVALID_UTF_8).getBytes(StandardCharsets.ISO_8859_1));
        damaged.write(body, at, body.length - at);
      }
      case 5 -> {
        damaged.write(body, at, body.length - at);
        damaged.writeBytes(body);
      }
      case 6 -> {
        damaged.write(body, at, body.length - at);
        byte[] flipped = damaged.toByteArray();
        if (flipped.length > 0) {
          flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
      }
      default -> {
        byte[] noise = new byte[random.nextInt(40)];
        random.nextBytes(noise);
        return noise;
      }
    }
    return damaged.toByteArray();
  }

  private byte[] encode(String text) {
    return switch (random.nextInt(3)) {
      case 0 -> ("\ufeff" + text).getBytes(StandardCharsets.UTF_8);
      case 1 ->
        text.getBytes(any(List.of(
            StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)));
      default -> text.getBytes(Charset.forName(any(List.of("UTF-32", "UTF-32LE", "UTF-32BE"))));
    };
  }
}
