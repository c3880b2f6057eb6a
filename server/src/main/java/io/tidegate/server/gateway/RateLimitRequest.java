package io.tidegate.server.gateway;

import io.tidegate.model.Bounds;
import io.tidegate.model.Limit;
import io.tidegate.rules.Entry;
import io.tidegate.server.service.DescriptorRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message {@code envoy.service.ratelimit.v3.RateLimitRequest}.
 *
 * @param domain the domain of the rules
 * @param descriptors the descriptors in the order of the message; must not change any more
 * @param hits the hits of descriptors that do not have their own; 0 if not given
 */
record RateLimitRequest(String domain, List<DescriptorRequest> descriptors, long hits) {

  /** Far more than a gateway sends; bounds what a message of many empty entries can allocate. */
  private static final int MAX_ENTRIES = 100;

  // Fields of RateLimitRequest
  private static final int DOMAIN = 1 << 3 | ProtobufReader.LENGTH;
  private static final int DESCRIPTORS = 2 << 3 | ProtobufReader.LENGTH;
  private static final int HITS_ADDEND = 3 << 3 | ProtobufReader.VARINT;

  // Fields of RateLimitDescriptor
  private static final int ENTRIES = 1 << 3 | ProtobufReader.LENGTH;
  private static final int LIMIT = 2 << 3 | ProtobufReader.LENGTH;
  private static final int OWN_HITS_ADDEND = 3 << 3 | ProtobufReader.LENGTH;
  private static final int IS_NEGATIVE_HITS = 4 << 3 | ProtobufReader.VARINT;

  // Fields of RateLimitDescriptor.Entry
  private static final int KEY = 1 << 3 | ProtobufReader.LENGTH;
  private static final int VALUE = 2 << 3 | ProtobufReader.LENGTH;

  // Fields of RateLimitDescriptor.RateLimitOverride
  private static final int REQUESTS_PER_UNIT = 1 << 3 | ProtobufReader.VARINT;
  private static final int UNIT = 2 << 3 | ProtobufReader.VARINT;

  /** The field of google.protobuf.UInt64Value. */
  private static final int WRAPPED = 1 << 3 | ProtobufReader.VARINT;

  static RateLimitRequest read(ProtobufReader reader) {
    String domain = "";
    List<DescriptorRequest> descriptors = new ArrayList<>(4);
    long hits = 0;
    while (reader.next()) {
      switch (reader.tag()) {
        case DOMAIN -> domain = reader.string();
        case DESCRIPTORS -> {
          checkCount("descriptors", descriptors.size(), Bounds.MAX_BATCH_SIZE);
          int outer = reader.enter();
          descriptors.add(new DescriptorReader().read(reader));
          reader.leave(outer);
        }
        case HITS_ADDEND -> hits = reader.uint32();
        default -> reader.skip();
      }
    }
    return new RateLimitRequest(domain, descriptors, hits);
  }

  private static void checkCount(String what, int before, int max) {
    if (before == max) {
      throw new GrpcException(
          GrpcStatus.INVALID_ARGUMENT, "a request must have at most " + max + " " + what);
    }
  }

  /** Reads a descriptor. A field that occurs twice replaces or completes what came before. */
  private static final class DescriptorReader {

    private final List<Entry> entries = new ArrayList<>(4);
    private @Nullable Long hits;
    private boolean negative;
    private boolean hasLimit;
    private long requestsPerUnit;
    private long unit;

    DescriptorRequest read(ProtobufReader reader) {
      while (reader.next()) {
        switch (reader.tag()) {
          case ENTRIES -> {
            checkCount("entries in a descriptor", entries.size(), MAX_ENTRIES);
            int outer = reader.enter();
            readEntry(reader);
            reader.leave(outer);
          }
          case LIMIT -> {
            int outer = reader.enter();
            readLimit(reader);
            reader.leave(outer);
          }
          case OWN_HITS_ADDEND -> {
            int outer = reader.enter();
            readHits(reader);
            reader.leave(outer);
          }
          case IS_NEGATIVE_HITS -> negative = reader.varint() != 0;
          default -> reader.skip();
        }
      }
      return new DescriptorRequest(entries, hits, negative, hasLimit ? limit() : null);
    }

    private void readEntry(ProtobufReader reader) {
      String key = "";
      String value = "";
      while (reader.next()) {
        switch (reader.tag()) {
          case KEY -> key = reader.string();
          case VALUE -> value = reader.string();
          default -> reader.skip();
        }
      }
      entries.add(new Entry(key, value));
    }

    private void readLimit(ProtobufReader reader) {
      hasLimit = true;
      while (reader.next()) {
        switch (reader.tag()) {
          case REQUESTS_PER_UNIT -> requestsPerUnit = reader.uint32();
          case UNIT -> unit = reader.uint32();
          default -> reader.skip();
        }
      }
    }

    private Limit limit() {
      Unit known = Unit.ofNumber(unit);
      if (known == null) {
        throw new GrpcException(
            GrpcStatus.INVALID_ARGUMENT, "the limit of a descriptor has an unknown unit: " + unit);
      }
      return new Limit(requestsPerUnit, known.millis());
    }

    private void readHits(ProtobufReader reader) {
      long value = hits == null ? 0 : hits;
      while (reader.next()) {
        if (reader.tag() == WRAPPED) {
          long unsigned = reader.varint();
          value = unsigned < 0 ? Long.MAX_VALUE : unsigned;
        } else {
          reader.skip();
        }
      }
      hits = value;
    }
  }
}
