package io.tidegate.server.api;

import io.tidegate.model.Decision;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.JsonWriter;
import io.tidegate.server.service.Refusal;
import io.tidegate.server.service.ServiceResult;
import io.tidegate.server.service.ServiceResult.Refused;
import io.tidegate.server.service.ServiceResult.Success;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** Answers an exchange with the result of a service. */
final class ResultWriter {

  /**
   * When to retry a request that found no catalog. The node reads the catalog twice a second; the
   * header counts whole seconds.
   */
  private static final String CATALOG_RETRY_SECONDS = "1";

  private final InstantSource clock;

  ResultWriter(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Answers when the result is there: at once if it is, otherwise on the event loop.
   *
   * @param content writes the {@code data} of a success
   */
  <T> void answer(
      HttpExchange exchange,
      CompletableFuture<ServiceResult<T>> result,
      BiConsumer<JsonWriter, T> content) {
    if (result.isDone()) {
      write(exchange, result.join(), content);
    } else {
      var unused = result.whenComplete(
          (value, failure) -> exchange.resume(() -> write(exchange, result.join(), content)));
    }
  }

  private <T> void write(
      HttpExchange exchange, ServiceResult<T> result, BiConsumer<JsonWriter, T> content) {
    Decision throttle = result.throttle();
    if (throttle != null) {
      addThrottleHeaders(exchange, throttle);
    }
    if (result instanceof Success<T> success) {
      exchange.succeed(json -> content.accept(json, success.value()));
    } else {
      refuse(exchange, ((Refused<T>) result).refusal());
    }
  }

  private static void refuse(HttpExchange exchange, Refusal refusal) {
    if (refusal == Refusal.Reason.CATALOG_NOT_READ) {
      exchange.addHeader("Retry-After", CATALOG_RETRY_SECONDS);
    }
    if (refusal instanceof Refusal.CatalogUnavailable unavailable) {
      exchange.fail(Problems.of(refusal), unavailable.cause());
    } else {
      exchange.fail(Problems.of(refusal));
    }
  }

  private void addThrottleHeaders(HttpExchange exchange, Decision throttle) {
    long resetMillis = throttle.resetAtMillis() - clock.millis();
    exchange.addHeader("RateLimit-Limit", Long.toString(throttle.limit()));
    exchange.addHeader("RateLimit-Remaining", Long.toString(throttle.remaining()));
    exchange.addHeader("RateLimit-Reset", seconds(resetMillis));
    if (!throttle.allowed()) {
      long wait = throttle.retryAfterMillis();
      exchange.addHeader("Retry-After", seconds(wait == Decision.NEVER ? resetMillis : wait));
    }
  }

  /** Rounded up, so that a client that waits this long is not early. */
  private static String seconds(long millis) {
    return Long.toString(Math.max(0, Math.floorDiv(millis + 999, 1_000)));
  }
}
