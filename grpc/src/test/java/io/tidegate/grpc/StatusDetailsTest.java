package io.tidegate.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes that are written by hand, read by the protobuf library. */
class StatusDetailsTest {

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 127, 128, 999, 1_000, 1_001, 60_000, 16_383_999, 86_400_000, 31_622_400_000L})
  void delayIsExact(long millis) throws Exception {
    Status status = Status.parseFrom(StatusDetails.withRetryInfo(8, "slow down", millis));

    assertThat(status.getCode()).isEqualTo(8);
    assertThat(status.getMessage()).isEqualTo("slow down");
    assertThat(status.getDetailsCount()).isEqualTo(1);
    assertThat(millis(status)).isEqualTo(millis);
    assertThat(status.getDetails(0).unpack(RetryInfo.class).getUnknownFields().asMap())
        .isEmpty();
  }

  @Test
  void anyMessageAndDelayIsRead() throws Exception {
    Random random = new Random(17);
    for (int i = 0; i < 2_000; i++) {
      String message = random
          .ints(random.nextInt(300), 1, 0xD7FF)
          .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
          .toString();
      long millis = random.nextLong(1L << (1 + random.nextInt(45)));
      Status status = Status.parseFrom(StatusDetails.withRetryInfo(8, message, millis));

      assertThat(status.getMessage()).isEqualTo(message);
      assertThat(millis(status)).isEqualTo(millis);
    }
  }

  /** The delay of the first detail, of which no part of a millisecond must be left. */
  static long millis(Status status) throws InvalidProtocolBufferException {
    com.google.protobuf.Duration delay =
        status.getDetails(0).unpack(RetryInfo.class).getRetryDelay();
    Duration exact = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    assertThat(exact).isEqualTo(Duration.ofMillis(exact.toMillis()));
    return exact.toMillis();
  }
}
