package io.tidegate.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Limit;
import io.tidegate.rules.Entry;
import io.tidegate.server.Protobuf;
import io.tidegate.server.service.DescriptorRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code -Dtidegate.fuzz.seed} sets the seed of the random messages. */
class RateLimitRequestTest {

  private static final long SEED = Long.getLong("tidegate.fuzz.seed", 20_261_117);
  private static final int MESSAGES = 2_000;

  private static RateLimitRequest read(byte[] message) {
    return RateLimitRequest.read(new ProtobufReader(message, 0, message.length));
  }

  private static Protobuf descriptor(Protobuf field) {
    return Protobuf.message().text(1, "d").message(2, field);
  }

  private static DescriptorRequest readDescriptor(Protobuf descriptor) {
    return read(descriptor(descriptor).toBytes()).descriptors().get(0);
  }

  @Test
  void randomRequestsAreReadAsTheyWereWritten() {
    Random random = new Random(SEED);
    for (int i = 0; i < MESSAGES; i++) {
      String domain = text(random);
      long hits = random.nextInt() & 0xffff_ffffL;
      Protobuf message = Protobuf.message().text(1, domain).varint(3, hits);
      List<DescriptorRequest> expected = new ArrayList<>();
      for (int j = random.nextInt(4); j > 0; j--) {
        expected.add(addDescriptor(message, random));
      }
      assertThat(read(message.toBytes()))
          .as("seed %d, message %d", SEED, i)
          .isEqualTo(new RateLimitRequest(domain, expected, hits));
    }
  }

  private static DescriptorRequest addDescriptor(Protobuf message, Random random) {
    Protobuf descriptor = Protobuf.message();
    List<Entry> entries = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Entry entry = new Entry(text(random), text(random));
      entries.add(entry);
      descriptor.message(1, Protobuf.message().text(1, entry.key()).text(2, entry.value()));
    }
    Long hits = random.nextBoolean() ? null : (Long) (random.nextLong() >>> random.nextInt(64));
    if (hits != null) {
      descriptor.message(3, Protobuf.message().varint(1, hits));
    }
    boolean negative = random.nextBoolean();
    if (negative) {
      descriptor.varint(4, 1);
    }
    Limit limit = random.nextBoolean() ? null : new Limit(random.nextInt(1 << 30), 60_000);
    if (limit != null) {
      descriptor.message(2, Protobuf.message().varint(1, limit.tokens()).varint(2, 2));
    }
    message.message(2, descriptor);
    return new DescriptorRequest(
        entries, hits == null || hits >= 0 ? hits : (Long) Long.MAX_VALUE, negative, limit);
  }

  private static String text(Random random) {
    return random
        .ints(random.nextInt(200), 1, 0x250)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Test
  void anyBytesAreReadOrRejected() {
    Random random = new Random(SEED);
    int rejected = 0;
    for (int i = 0; i < 20 * MESSAGES; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      for (int j = 0; j < bytes.length; j += 1 + random.nextInt(6)) {
        bytes[j] = (byte) (random.nextInt(5) << 3 | random.nextInt(6)); // more tags
      }
      try {
        read(bytes);
      } catch (GrpcException e) {
        assertThat(e.status()).isIn(GrpcStatus.INTERNAL, GrpcStatus.INVALID_ARGUMENT);
        rejected++;
      }
    }
    assertThat(rejected).isBetween(MESSAGES, 20 * MESSAGES - 1);
  }

  @Test
  void everyPrefixOfAMessageIsReadOrRejected() {
    Protobuf message = Protobuf.message();
    addDescriptor(message, new Random(SEED));
    byte[] whole = message.text(1, "edge").varint(3, 1_000).toBytes();
    for (int length = 0; length < whole.length; length++) {
      byte[] prefix = Arrays.copyOf(whole, length);
      try {
        read(prefix);
      } catch (GrpcException e) {
        assertThat(e.status()).isEqualTo(GrpcStatus.INTERNAL);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, PT1S",
    "2, PT1M",
    "3, PT1H",
    "4, P1D",
    "5, P30D",
    "6, P365D",
    "7, P7D",
  })
  void unitsAreThoseOfEnvoy(int number, Duration window) {
    DescriptorRequest descriptor = readDescriptor(
        Protobuf.message().message(2, Protobuf.message().varint(1, 9).varint(2, number)));
    assertThat(descriptor.limit()).isEqualTo(Limit.of(9, window));
    assertThat(Unit.numberOf(window.toMillis())).isEqualTo(number);
  }

  @Test
  void anEmptyWrapperMeansZeroHits() {
    assertThat(readDescriptor(Protobuf.message().message(3, Protobuf.message())).hits())
        .isEqualTo(0L);
    assertThat(readDescriptor(Protobuf.message()).hits()).isNull();
  }

  @Test
  void aFieldThatOccursTwiceIsMerged() {
    RateLimitRequest request = read(Protobuf.message()
        .text(1, "first")
        .text(1, "second")
        .message(
            2,
            Protobuf.message()
                .message(2, Protobuf.message().varint(1, 9))
                .message(2, Protobuf.message().varint(2, 2)))
        .toBytes());
    assertThat(request.domain()).isEqualTo("second");
    assertThat(request.descriptors().get(0).limit()).isEqualTo(Limit.perMinute(9));
  }

  @Test
  void hitsOfARequestHave32Bits() {
    assertThat(read(Protobuf.message().varint(3, 0xffff_ffffL).toBytes()).hits())
        .isEqualTo(0xffff_ffffL);
    assertThat(read(Protobuf.message().varint(3, (1L << 40) + 7).toBytes()).hits())
        .isEqualTo(7);
  }

  @Test
  void nestedGroupsAreSkippedWithoutRecursion() {
    Protobuf message = Protobuf.message();
    for (int i = 0; i < 100_000; i++) {
      message.raw(0x3b); // begins a group
    }
    for (int i = 0; i < 100_000; i++) {
      message.raw(0x3c); // ends it
    }
    assertThat(read(message.text(1, "edge").toBytes()).domain()).isEqualTo("edge");
  }

  @ParameterizedTest
  @CsvSource({
    "'00', invalid field number",
    "'02', invalid field number",
    "'80', it ends within a number",
    "'0880808080808080808080', a number is too long",
    "'0a05616263', it ends within a field",
    "'0affffffff0f', it ends within a field",
    "'0affffffffffffffffff01', it ends within a field",
    "'0d0000', it ends within a field",
    "'09000000', it ends within a field",
    "'3b', it ends within a group",
    "'3c', a group ends that has not begun",
    "'0e', unknown type of a field",
    "'0f', unknown type of a field",
  })
  void malformedBytesAreRejectedWithAReason(String hex, @Nullable String reason) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(GrpcException.class)
        .hasMessage("malformed message: " + reason);
  }
}
