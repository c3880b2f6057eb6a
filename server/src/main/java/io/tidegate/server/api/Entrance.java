package io.tidegate.server.api;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.http.Call;
import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.Violation;
import io.vertx.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every request goes through before its route: the form of its body, who sends it, and whether
 * its workspace has made too many.
 */
final class Entrance {

  private static final String BEARER = "Bearer ";

  /** The catalog is tried twice a second; seconds are what the header can say. */
  private static final String RETRY_SECONDS = "1";

  private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(() -> {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  });

  private final CatalogFollower catalog;
  private final RateLimiter limiter;
  private final InstantSource clock;

  Entrance(CatalogFollower catalog, RateLimiter limiter, InstantSource clock) {
    this.catalog = catalog;
    this.limiter = limiter;
    this.clock = clock;
  }

  /** Leads requests whose body is one object to a route. */
  Endpoint.Handler toRoute(Shape shape, Route route) {
    return (call, bytes) -> {
      Fields plain = PlainBody.read(shape, bytes);
      if (plain != null && isJson(call) && !isCompressed(call)) {
        authenticate(call, List.of(plain), route);
      } else {
        enter(call, bytes, () -> BodyReader.object(shape, bytes), route);
      }
    };
  }

  /** Leads requests whose body is an array of objects to a route. */
  Endpoint.Handler toRoute(Shape shape, int most, Route route) {
    return (call, bytes) -> enter(call, bytes, () -> BodyReader.array(shape, bytes, most), route);
  }

  private interface Reading {
    BodyReader.Body read();
  }

  private void enter(Call call, byte[] bytes, Reading reading, Route route) {
    Problem unreadable = unreadable(call, bytes);
    if (unreadable != null) {
      call.fail(unreadable);
      return;
    }
    BodyReader.Body body = reading.read();
    if (!body.violations().isEmpty()) {
      call.fail(Problem.invalidBody(call.path(), body.violations()));
      return;
    }
    authenticate(call, body.objects(), route);
  }

  private static @Nullable Problem unreadable(Call call, byte[] bytes) {
    if (isCompressed(call)) {
      return Problem.unreadableBody("The body must not be compressed.");
    }
    if (!isJson(call)) {
      return Problem.invalidHeader(
          "The Content-Type of the body must be application/json.",
          new Violation(
              "header.Content-Type",
              "must be application/json",
              "Send the header 'Content-Type: application/json'."));
    }
    return BodyReader.isText(bytes)
        ? null
        : Problem.unreadableBody("The body must be text in UTF-8.");
  }

  private static boolean isCompressed(Call call) {
    String encoding = call.header(HttpHeaders.CONTENT_ENCODING);
    return encoding != null && !encoding.equalsIgnoreCase("identity");
  }

  /** Who does not say what it is means JSON. */
  private static boolean isJson(Call call) {
    String type = call.header(HttpHeaders.CONTENT_TYPE);
    return type == null || type.equals("application/json") || isJson(type);
  }

  private static boolean isJson(String contentType) {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end);
    return type.strip().equalsIgnoreCase("application/json");
  }

  private void authenticate(Call call, List<Fields> body, Route route) {
    String authorization = call.header(HttpHeaders.AUTHORIZATION);
    if (authorization == null) {
      call.fail(Problem.invalidHeader(
          "The Authorization header is missing.",
          new Violation(
              "header.Authorization",
              "is required",
              "Send the header 'Authorization: Bearer ' and a root key.")));
      return;
    }
    String key = authorization.startsWith(BEARER) ? authorization.substring(BEARER.length()) : "";
    if (key.isBlank()) {
      call.fail(Problem.malformedAuthorization());
    } else if (!catalog.isKnown()) {
      call.addHeader("Retry-After", RETRY_SECONDS);
      call.fail(Problem.starting("This node has not read its catalog yet; try again."));
    } else {
      Caller caller = catalog.directory().find(hash(key));
      Problem refusal = refusal(caller);
      if (refusal != null) {
        call.fail(refusal);
      } else {
        throttle(call, caller, body, route);
      }
    }
  }

  private static byte[] hash(String key) {
    return SHA_256.get().digest(key.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable Problem refusal(@Nullable Caller caller) {
    if (caller == null) {
      return Problem.unknownKey();
    }
    if (!caller.enabled()) {
      return Problem.keyDisabled();
    }
    return caller.workspace().enabled() ? null : Problem.workspaceDisabled();
  }

  private void throttle(Call call, Caller caller, List<Fields> body, Route route) {
    LimitRequest throttle = caller.workspace().throttle();
    if (throttle == null) {
      route.answer(call, caller, body);
      return;
    }
    Later.when(
        limiter.tryAcquireAsync(throttle),
        call,
        decision -> {
          addHeaders(call, decision);
          if (decision.allowed()) {
            route.answer(call, caller, body);
          } else {
            call.fail(Problem.workspaceThrottled());
          }
        },
        failure -> {
          call.warn(
              "the workspace's throttle could not be decided; the request goes on",
              "workspace",
              caller.workspace().id(),
              "reason",
              failure.toString());
          route.answer(call, caller, body);
        });
  }

  private void addHeaders(Call call, Decision decision) {
    long resetMillis = decision.resetAtMillis() - clock.millis();
    call.addHeader("RateLimit-Limit", Long.toString(decision.limit()));
    call.addHeader("RateLimit-Remaining", Long.toString(decision.remaining()));
    call.addHeader("RateLimit-Reset", seconds(resetMillis));
    if (!decision.allowed()) {
      long wait = decision.retryAfterMillis();
      call.addHeader("Retry-After", seconds(wait == Decision.NEVER ? resetMillis : wait));
    }
  }

  /** Rounded up: who comes back then does not come too early. */
  private static String seconds(long millis) {
    return Long.toString(Math.max(0, Math.floorDiv(millis + 999, 1_000)));
  }
}
