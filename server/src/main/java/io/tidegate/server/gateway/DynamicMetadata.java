package io.tidegate.server.gateway;

import io.tidegate.model.Limit;
import io.tidegate.rules.Entry;
import io.tidegate.server.service.DescriptorRequest;
import io.tidegate.server.service.DescriptorResult;
import io.tidegate.server.service.RuleResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the metadata of an answer as a {@code google.protobuf.Struct}, in the form of
 * envoyproxy/ratelimit: the request, and the metadata of all rules that allow it.
 */
final class DynamicMetadata {

  /** The field of Struct, with one map entry each. */
  private static final int FIELDS = 1;

  // Fields of a map entry
  private static final int KEY = 1;
  private static final int VALUE = 2;

  // Fields of Value, of which one is set
  private static final int NULL = 1;
  private static final int NUMBER = 2;
  private static final int STRING = 3;
  private static final int BOOL = 4;
  private static final int STRUCT = 5;
  private static final int LIST = 6;

  /** The field of ListValue. */
  private static final int VALUES = 1;

  private DynamicMetadata() {}

  static void write(ProtobufWriter message, RateLimitRequest request, RuleResult result) {
    writeStruct(message, content(request, result));
  }

  static Map<String, Object> content(RateLimitRequest request, RuleResult result) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("domain", request.domain());
    content.put(
        "descriptors",
        request.descriptors().stream().map(DynamicMetadata::content).toList());
    if (request.hits() > 0) {
      content.put("hitsAddend", request.hits());
    }
    Map<String, Object> metadata = new LinkedHashMap<>();
    for (DescriptorResult each : result.descriptors()) {
      if (each.allowed() && each.match() != null) {
        merge(metadata, each.match().rule().metadata());
      }
    }
    if (!metadata.isEmpty()) {
      content.put("metadata", metadata);
    }
    return content;
  }

  private static Map<String, Object> content(DescriptorRequest descriptor) {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("entries", descriptor.entries().stream().map(Entry::toString).toList());
    if (descriptor.hits() != null) {
      content.put("hitsAddend", descriptor.hits());
    }
    if (descriptor.limit() != null) {
      content.put("limit", text(descriptor.limit()));
    }
    return content;
  }

  private static String text(Limit limit) {
    return "requests_per_unit:" + limit.tokens() + " unit:" + Unit.ofMillis(limit.windowMillis());
  }

  /** Adds what is missing. The first value of a key stays, and maps are merged. */
  private static void merge(Map<String, Object> all, Map<?, ?> more) {
    more.forEach((key, value) -> {
      Object known = all.get(key.toString());
      if (value instanceof Map<?, ?> map && (known == null || known instanceof Map<?, ?>)) {
        Map<String, Object> merged = new LinkedHashMap<>();
        if (known instanceof Map<?, ?> first) {
          merge(merged, first);
        }
        merge(merged, map);
        all.put(key.toString(), merged);
      } else {
        all.putIfAbsent(key.toString(), value);
      }
    });
  }

  private static void writeStruct(ProtobufWriter message, Map<?, ?> map) {
    map.forEach((key, value) -> {
      int entry = message.begin(FIELDS);
      message.string(KEY, key.toString());
      int begin = message.begin(VALUE);
      writeValue(message, value);
      message.end(begin);
      message.end(entry);
    });
  }

  /** Writes one of the types that {@code Rule.metadata} has, nested as deeply as the rule file. */
  private static void writeValue(ProtobufWriter message, @Nullable Object value) {
    if (value instanceof Number number) {
      message.fixed64(NUMBER, number.doubleValue());
    } else if (value instanceof Boolean bool) {
      message.varint(BOOL, bool ? 1 : 0);
    } else if (value instanceof Map<?, ?> map) {
      int struct = message.begin(STRUCT);
      writeStruct(message, map);
      message.end(struct);
    } else if (value instanceof List<?> list) {
      int begin = message.begin(LIST);
      for (Object element : list) {
        int inner = message.begin(VALUES);
        writeValue(message, element);
        message.end(inner);
      }
      message.end(begin);
    } else if (value == null) {
      message.varint(NULL, 0);
    } else {
      message.string(STRING, value.toString());
    }
  }
}
