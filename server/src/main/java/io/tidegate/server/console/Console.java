package io.tidegate.server.console;

import io.tidegate.model.Decision;
import io.tidegate.server.api.Problems;
import io.tidegate.server.console.ConsoleAccess.Rejection;
import io.tidegate.server.console.ConsoleAssets.Asset;
import io.tidegate.server.http.Problem;
import io.tidegate.server.log.Log;
import io.tidegate.server.service.EntryDecision;
import io.tidegate.server.service.InspectionRequest;
import io.tidegate.server.service.InspectionService;
import io.tidegate.server.service.LimitEntry;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideDetails;
import io.tidegate.server.service.OverrideService;
import io.tidegate.server.service.Refusal;
import io.tidegate.server.service.RootKeySecret;
import io.tidegate.server.service.ServiceRequest;
import io.tidegate.server.service.ServiceResult;
import io.tidegate.server.service.ServiceResult.Refused;
import io.tidegate.server.service.ServiceResult.Success;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The routes of the console, below {@code /console/} of the admin port.
 *
 * <p>The files of the page need no credentials and contain no data. Everything else passes
 * {@link ConsoleAccess} first. Runs on an event loop and never blocks.
 */
public final class Console {

  /** The path of the page. */
  public static final String PATH = "/console/";

  /** Longer than any question: names have at most 512 characters. */
  private static final int MAX_BODY_BYTES = 16 << 10;

  /** How long a question may take to arrive. */
  private static final long BODY_TIMEOUT_MILLIS = 5_000;

  private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
      + " connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none';"
      + " frame-ancestors 'none'";

  /** Answers a question whose body has been read. */
  private interface Question {
    void answer(HttpServerRequest request, Fields body);
  }

  private final ConsoleAccess access;
  private final ConsoleState state;
  private final JsonObject node;
  private final InspectionService inspections;
  private final LimitService limits;
  private final OverrideService overrides;
  private final InstantSource clock;
  private final Vertx vertx;
  private final ConsoleAssets assets = new ConsoleAssets();
  private final EventStream events;

  private final Map<String, Question> questions = Map.of(
      "inspect", this::inspect,
      "limit", this::limit,
      "overrides.list", this::listOverrides,
      "overrides.set", this::setOverride,
      "overrides.delete", this::deleteOverride);

  /**
   * Creates the console of a node.
   *
   * @param node name, region and version of the node
   */
  public Console(
      Vertx vertx,
      ConsoleAccess access,
      ConsoleState state,
      JsonObject node,
      InspectionService inspections,
      LimitService limits,
      OverrideService overrides,
      InstantSource clock) {
    this.vertx = vertx;
    this.access = access;
    this.state = state;
    this.node = node;
    this.inspections = inspections;
    this.limits = limits;
    this.overrides = overrides;
    this.clock = clock;
    this.events = new EventStream(vertx, state::describe);
  }

  /**
   * Answers a request for a path that begins with {@link #PATH}. Only POST requests may have a
   * body, and the connection of one that is rejected is closed: its body may be endless.
   */
  public void handle(HttpServerRequest request) {
    String name = request.path().substring(PATH.length());
    Question question = questions.get(name);
    boolean stream = name.equals("events");
    if (question == null && !stream && !name.equals("state")) {
      answerFile(request, name.isEmpty() ? "index.html" : name);
      return;
    }
    if (!isMethod(request, question == null ? HttpMethod.GET : HttpMethod.POST)) {
      return;
    }
    Rejection rejection = access.check(
        request.getHeader("Host"),
        request.getHeader("Origin"),
        request.getHeader("Sec-Fetch-Site"),
        request.getHeader("Authorization"));
    if (rejection != null) {
      reject(request, rejection.status(), rejection.message());
    } else if (question != null) {
      readBody(request, question);
    } else if (stream) {
      answerEvents(request);
    } else {
      answerState(request);
    }
  }

  /** Builds the state on a worker: with many nodes, it takes longer than a decision may wait. */
  private void answerState(HttpServerRequest request) {
    vertx
        .executeBlocking(state::describe)
        .onSuccess(json -> succeed(request, json))
        .onFailure(failure -> unexpected(request, failure));
  }

  private static boolean isMethod(HttpServerRequest request, HttpMethod method) {
    if (request.method().equals(method)) {
      return true;
    }
    request.response().putHeader("Allow", method.name());
    reject(request, 405, "only " + method.name() + " is allowed");
    return false;
  }

  private void answerFile(HttpServerRequest request, String name) {
    Asset asset = assets.find(name);
    if (asset == null) {
      reject(request, 404, "not found; the console is at " + PATH);
    } else if (isMethod(request, HttpMethod.GET)) {
      end(request, 200, asset.type(), asset.content());
    }
  }

  private void answerEvents(HttpServerRequest request) {
    HttpServerResponse response =
        protect(request.response()).putHeader("Content-Type", "text/event-stream");
    if (!events.add(response)) {
      fail(
          request,
          503,
          "too many consoles are open: " + EventStream.MAX_CLIENTS + " at most; close one");
    }
  }

  private void readBody(HttpServerRequest request, Question question) {
    String type = request.getHeader("Content-Type");
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
      reject(request, 415, "Content-Type must be application/json");
      return;
    }
    String length = request.getHeader("Content-Length");
    if (length == null
        || !length.matches("[0-9]{1,5}")
        || Integer.parseInt(length) > MAX_BODY_BYTES) {
      reject(request, 413, "Content-Length must be at most " + MAX_BODY_BYTES + ": " + length);
      return;
    }
    long timer =
        vertx.setTimer(BODY_TIMEOUT_MILLIS, tooSlow -> request.connection().close());
    request.body().onComplete(received -> {
      vertx.cancelTimer(timer);
      if (received.succeeded()) { // otherwise the client has closed the connection
        answer(request, question, received.result());
      }
    });
  }

  private static void answer(HttpServerRequest request, Question question, Buffer body) {
    try {
      question.answer(request, new Fields(body));
    } catch (IllegalArgumentException e) {
      fail(request, 400, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      unexpected(request, e);
    }
  }

  private void inspect(HttpServerRequest request, Fields body) {
    body.allow("workspace", "namespace", "identifier", "windowMillis", "limit");
    CompletableFuture<JsonObject> answer = inspections
        .inspect(new InspectionRequest(
            body.text("workspace"),
            body.requiredText("namespace"),
            body.requiredText("identifier"),
            body.number("windowMillis"),
            body.number("limit")))
        .thenApply(found -> InspectionJson.of(found, node, clock.millis()));
    Context context = Vertx.currentContext();
    var unused = answer.whenComplete((json, failure) -> context.runOnContext(now -> {
      if (failure == null) {
        succeed(request, json);
      } else {
        unexpected(request, failure);
      }
    }));
  }

  private void listOverrides(HttpServerRequest request, Fields body) {
    body.allow("workspace", "namespace");
    List<OverrideDetails> found =
        inspections.overrides(body.text("workspace"), body.requiredText("namespace"));
    JsonArray shown = new JsonArray();
    found.stream()
        .limit(InspectionService.MAX_OVERRIDES)
        .map(InspectionJson::override)
        .forEach(shown::add);
    succeed(
        request,
        new JsonObject()
            .put("overrides", shown)
            .put("more", found.size() > InspectionService.MAX_OVERRIDES));
  }

  private void setOverride(HttpServerRequest request, Fields body) {
    body.allow("namespace", "identifier", "limit", "windowMillis");
    serve(
        request,
        overrides.set(
            request(request),
            body.requiredText("namespace"),
            body.requiredText("identifier"),
            body.requiredTokens("limit"),
            body.requiredWindow("windowMillis")),
        override -> new JsonObject().put("id", override.id()));
  }

  private void deleteOverride(HttpServerRequest request, Fields body) {
    body.allow("namespace", "identifier");
    serve(
        request,
        overrides.delete(
            request(request), body.requiredText("namespace"), body.requiredText("identifier")),
        override -> new JsonObject());
  }

  private void limit(HttpServerRequest request, Fields body) {
    body.allow("namespace", "identifier", "limit", "windowMillis", "cost");
    Long cost = body.number("cost");
    LimitEntry entry = new LimitEntry(
        body.requiredText("namespace"),
        body.requiredText("identifier"),
        body.requiredTokens("limit"),
        body.requiredWindow("windowMillis"),
        cost == null ? 1 : Fields.tokens("cost", cost));
    serve(request, limits.limit(request(request), entry, clock), Console::decision);
  }

  private static JsonObject decision(EntryDecision result) {
    Decision decision = result.decision();
    return new JsonObject()
        .put("allowed", result.allowed())
        .put("limit", decision.limit())
        .put("remaining", decision.remaining())
        .put("resetAt", decision.resetAtMillis())
        .put(
            "retryAfterMillis",
            result.allowed() ? 0 : ConsoleState.retryAfter(decision.retryAfterMillis()))
        .put("degraded", decision.degraded())
        .put("overrideId", result.overrideId());
  }

  /** A request of the root key that the operator has entered. */
  private static ServiceRequest request(HttpServerRequest request) {
    Context context = Vertx.currentContext();
    String rootKey = request.getHeader("X-Root-Key");
    return new ServiceRequest(
        "console",
        request.path(),
        rootKey == null ? null : new RootKeySecret(rootKey),
        task -> context.runOnContext(now -> task.run()));
  }

  private static <T> void serve(
      HttpServerRequest request,
      CompletableFuture<ServiceResult<T>> result,
      Function<T, JsonObject> content) {
    Context context = Vertx.currentContext();
    var unused = result.whenComplete((value, failure) -> context.runOnContext(now -> {
      if (failure != null) {
        unexpected(request, failure);
      } else if (value instanceof Success<T> success) {
        succeed(request, content.apply(success.value()));
      } else {
        refuse(request, ((Refused<T>) value).refusal());
      }
    }));
  }

  /** As the API does, except that 401 is about the admin token alone. */
  private static void refuse(HttpServerRequest request, Refusal refusal) {
    if (refusal == Refusal.Reason.MISSING_KEY) {
      fail(request, 403, "a root key is required: send it in the header X-Root-Key");
    } else {
      Problem problem = Problems.of(refusal);
      fail(request, problem.status() == 401 ? 403 : problem.status(), problem.detail());
    }
  }

  private static void succeed(HttpServerRequest request, JsonObject json) {
    end(request, 200, "application/json", json.toBuffer());
  }

  /** Fails a request whose body, if it has one, has not been read. */
  private static void reject(HttpServerRequest request, int status, String message) {
    fail(request, status, message).onComplete(sent -> {
      if (request.method().equals(HttpMethod.POST)) {
        request.connection().close();
      }
    });
  }

  private static Future<Void> fail(HttpServerRequest request, int status, String message) {
    return end(
        request,
        status,
        "application/json",
        new JsonObject().put("error", message).toBuffer());
  }

  private static void unexpected(HttpServerRequest request, Throwable failure) {
    Log.error("request of the console failed; answering 500", failure, "path", request.path());
    fail(request, 500, "internal error; the log of the node has the cause");
  }

  private static Future<Void> end(HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    return response.closed() || response.ended()
        ? Future.succeededFuture()
        : protect(response)
            .setStatusCode(status)
            .putHeader("Content-Type", type)
            .end(body);
  }

  private static HttpServerResponse protect(HttpServerResponse response) {
    return response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin")
        .putHeader("Cache-Control", "no-store");
  }
}
