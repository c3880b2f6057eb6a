package io.tidegate.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The messages of Envoy's rate limit service. */
final class RlsMessages {

  private RlsMessages() {}

  /** A request of a domain with descriptors. */
  static Protobuf request(String domain, Protobuf... descriptors) {
    Protobuf request = Protobuf.message().text(1, domain);
    for (Protobuf descriptor : descriptors) {
      request.message(2, descriptor);
    }
    return request;
  }

  /** A descriptor with these keys and values. */
  static Protobuf descriptor(String... keysAndValues) {
    Protobuf descriptor = Protobuf.message();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      descriptor.message(
          1, Protobuf.message().text(1, keysAndValues[i]).text(2, keysAndValues[i + 1]));
    }
    return descriptor;
  }

  /** A descriptor with its own number of hits. */
  static Protobuf hits(long hits, String... keysAndValues) {
    return descriptor(keysAndValues).message(3, Protobuf.message().varint(1, hits));
  }

  /** A status of a descriptor in an answer; -1 and empty for what is absent. */
  record Status(
      String code, long limit, long unit, String name, long remaining, long resetSeconds) {

    static Status of(byte[] message) {
      Map<Integer, List<Object>> fields = Protobuf.parse(message);
      Map<Integer, List<Object>> limit = nested(fields, 2);
      return new Status(
          codeOf(fields),
          number(limit, 1),
          number(limit, 2),
          limit.containsKey(3) ? text(limit, 3) : "",
          number(fields, 3),
          number(nested(fields, 4), 1));
    }
  }

  /** An answer. */
  record Response(
      String code, List<Status> statuses, List<String> headers, Map<Integer, List<Object>> fields) {

    static Response of(GrpcClient.Answer answer) {
      Map<Integer, List<Object>> fields = Protobuf.parse(answer.message());
      List<Status> statuses = new ArrayList<>();
      for (Object status : fields.getOrDefault(2, List.of())) {
        statuses.add(Status.of((byte[]) status));
      }
      List<String> headers = new ArrayList<>();
      for (Object header : fields.getOrDefault(3, List.of())) {
        Map<Integer, List<Object>> parts = Protobuf.parse((byte[]) header);
        headers.add(text(parts, 1) + ": " + text(parts, 2));
      }
      return new Response(codeOf(fields), statuses, headers, fields);
    }
  }

  private static String codeOf(Map<Integer, List<Object>> fields) {
    return switch ((int) number(fields, 1)) {
      case 1 -> "OK";
      case 2 -> "OVER_LIMIT";
      default -> throw new AssertionError("no code in " + fields);
    };
  }

  private static long number(Map<Integer, List<Object>> fields, int field) {
    return fields.containsKey(field) ? (Long) fields.get(field).get(0) : -1;
  }

  static String text(Map<Integer, List<Object>> fields, int field) {
    return new String((byte[]) fields.get(field).get(0), UTF_8);
  }

  static Map<Integer, List<Object>> nested(Map<Integer, List<Object>> fields, int field) {
    return fields.containsKey(field) ? Protobuf.parse((byte[]) fields.get(field).get(0)) : Map.of();
  }

  /** A {@code google.protobuf.Struct} as maps, lists, texts, numbers and booleans. */
  static Map<String, Object> struct(byte[] message) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (Object entry : Protobuf.parse(message).getOrDefault(1, List.of())) {
      Map<Integer, List<Object>> parts = Protobuf.parse((byte[]) entry);
      map.put(text(parts, 1), value((byte[]) parts.get(2).get(0)));
    }
    return map;
  }

  private static Object value(byte[] message) {
    Map<Integer, List<Object>> fields = Protobuf.parse(message);
    if (fields.size() != 1) {
      throw new AssertionError("a value has one field: " + fields);
    }
    int field = fields.keySet().iterator().next();
    Object value = fields.get(field).get(0);
    return switch (field) {
      case 1 -> "null";
      case 2 -> value;
      case 3 -> new String((byte[]) value, UTF_8);
      case 4 -> value.equals(1L);
      case 5 -> struct((byte[]) value);
      case 6 ->
        Protobuf.parse((byte[]) value).getOrDefault(1, List.of()).stream()
            .map(element -> value((byte[]) element))
            .toList();
      default -> throw new AssertionError("no type of a value: " + field);
    };
  }
}
