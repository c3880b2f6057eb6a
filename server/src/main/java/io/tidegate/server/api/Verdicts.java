package io.tidegate.server.api;

import io.tidegate.RateLimiter;
import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.server.catalog.Action;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.Permissions;
import io.tidegate.server.http.Call;
import io.tidegate.server.http.JsonWriter;
import io.tidegate.server.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers whether requests are within their limits: {@code limit} and {@code multiLimit}. */
final class Verdicts {

  /**
   * How long a request waits for its namespace to be made. It can be decided without, since counts
   * go by the name; but who sets an override next finds it there.
   */
  private static final long CREATION_MILLIS = 1_000;

  /** Every name that is asked for stays in memory and in the catalog. */
  private static final int MAX_NAMESPACES = 10_000;

  private final RateLimiter limiter;
  private final CatalogFollower catalog;
  private final RequestTime time;
  private final DenialLog denials;

  Verdicts(RateLimiter limiter, CatalogFollower catalog, RequestTime time, DenialLog denials) {
    this.limiter = limiter;
    this.catalog = catalog;
    this.time = time;
    this.denials = denials;
  }

  /** An entry of a request, and what it is held against. */
  private record Question(Fields fields, @Nullable KnownOverride override, LimitRequest request) {}

  /** Answers one. */
  void limit(Call call, Caller caller, List<Fields> body) {
    if (hasNoTime(call)) {
      return;
    }
    Fields fields = body.get(0);
    KnownNamespace namespace = caller.workspace().namespace(fields.namespace());
    if (namespace == null) {
      Problem refusal = creationRefusal(caller, List.of(fields.namespace()));
      if (refusal != null) {
        call.fail(refusal);
      } else {
        create(
            call,
            caller,
            List.of(fields.namespace()),
            () -> decide(call, caller, fields, caller.workspace().namespace(fields.namespace())));
      }
    } else if (namespace.deleted()) {
      call.fail(Problem.namespaceGone());
    } else if (!caller.permissions().allow(Action.LIMIT, namespace.id())) {
      call.fail(missing(Action.LIMIT, namespace));
    } else {
      decide(call, caller, fields, namespace);
    }
  }

  private void decide(Call call, Caller caller, Fields fields, @Nullable KnownNamespace namespace) {
    if (namespace != null && namespace.deleted()) {
      call.fail(Problem.namespaceGone()); // others deleted it while we made it
      return;
    }
    Question question = question(caller, fields, namespace);
    Later.when(
        limiter.tryAcquireAsync(question.request, time.millis(call)),
        call,
        decision -> {
          denials.decided(call, question.request, decision);
          call.succeed(json -> {
            json.beginObject();
            json.field("success", decision.allowed());
            write(json, question, decision);
            json.endObject();
          });
        },
        failure -> {
          throw new IllegalStateException("the limiter failed", failure);
        });
  }

  /** Whether that was answered: before anything is made for a request that cannot be judged. */
  private boolean hasNoTime(Call call) {
    Problem refusal = time.refusal(call);
    if (refusal != null) {
      call.fail(refusal);
    }
    return refusal != null;
  }

  /** Answers several, all or nothing. */
  void multiLimit(Call call, Caller caller, List<Fields> body) {
    if (hasNoTime(call)) {
      return;
    }
    List<@Nullable KnownNamespace> namespaces = new ArrayList<>(body.size());
    List<String> missing = new ArrayList<>(0);
    for (Fields fields : body) {
      KnownNamespace namespace = caller.workspace().namespace(fields.namespace());
      namespaces.add(namespace);
      if (namespace == null && !missing.contains(fields.namespace())) {
        missing.add(fields.namespace());
      }
    }
    Problem refusal = refusal(caller, namespaces, missing);
    if (refusal != null) {
      call.fail(refusal);
    } else if (missing.isEmpty()) {
      decideAll(call, caller, body, namespaces);
    } else {
      create(call, caller, missing, () -> decideAll(call, caller, body, resolve(caller, body)));
    }
  }

  private static List<@Nullable KnownNamespace> resolve(Caller caller, List<Fields> body) {
    List<@Nullable KnownNamespace> namespaces = new ArrayList<>(body.size());
    body.forEach(fields -> namespaces.add(caller.workspace().namespace(fields.namespace())));
    return namespaces;
  }

  private static @Nullable Problem refusal(
      Caller caller, List<@Nullable KnownNamespace> namespaces, List<String> missing) {
    if (!missing.isEmpty()) {
      Problem refusal = creationRefusal(caller, missing);
      if (refusal != null) {
        return refusal;
      }
    }
    for (KnownNamespace namespace : namespaces) {
      if (namespace != null && !caller.permissions().allow(Action.LIMIT, namespace.id())) {
        return missing(Action.LIMIT, namespace);
      }
    }
    return anyGone(namespaces) ? Problem.namespaceGone() : null;
  }

  private static boolean anyGone(List<@Nullable KnownNamespace> namespaces) {
    for (KnownNamespace namespace : namespaces) {
      if (namespace != null && namespace.deleted()) {
        return true;
      }
    }
    return false;
  }

  private void decideAll(
      Call call, Caller caller, List<Fields> body, List<@Nullable KnownNamespace> namespaces) {
    if (anyGone(namespaces)) {
      call.fail(Problem.namespaceGone());
      return;
    }
    List<Question> questions = new ArrayList<>(body.size());
    List<LimitRequest> requests = new ArrayList<>(body.size());
    for (int i = 0; i < body.size(); i++) {
      Question question = question(caller, body.get(i), namespaces.get(i));
      questions.add(question);
      requests.add(question.request);
    }
    Later.when(
        limiter.tryAcquireAllAsync(requests, time.millis(call)),
        call,
        decision -> {
          for (int i = 0; i < requests.size(); i++) {
            denials.decided(call, requests.get(i), decision.decisions().get(i));
          }
          call.succeed(json -> write(json, questions, decision));
        },
        failure -> {
          throw new IllegalStateException("the limiter failed", failure);
        });
  }

  /** Counts go by a namespace's name, which it has for ever. */
  private static Question question(
      Caller caller, Fields fields, @Nullable KnownNamespace namespace) {
    KnownOverride override =
        namespace == null ? null : namespace.overrides().find(fields.identifier());
    String name = namespace == null ? fields.namespace() : namespace.name();
    long window = override == null ? fields.durationMillis() : override.durationMillis();
    long limit = override == null ? fields.limit() : override.limit();
    return new Question(
        fields,
        override,
        new LimitRequest(
            new Scope(caller.workspace().id(), name, window),
            fields.identifier(),
            limit,
            fields.cost()));
  }

  private static void write(JsonWriter json, List<Question> questions, BatchDecision decision) {
    json.beginObject();
    json.field("passed", decision.allowed());
    json.name("limits").beginArray();
    for (int i = 0; i < questions.size(); i++) {
      Question question = questions.get(i);
      json.beginObject();
      json.field("namespace", question.fields.namespace());
      json.field("identifier", question.fields.identifier());
      json.field("passed", decision.decisions().get(i).allowed());
      write(json, question, decision.decisions().get(i));
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  /** {@code reset} is the end of the fixed window, until which clients remember a denial. */
  private static void write(JsonWriter json, Question question, Decision decision) {
    json.field("limit", decision.limit());
    json.field("remaining", decision.remaining());
    json.field("reset", decision.resetAtMillis());
    if (question.override != null) {
      json.field("overrideId", question.override.id());
    }
    if (!decision.allowed() && decision.retryAfterMillis() != Decision.NEVER) {
      json.field("retryAfter", decision.retryAfterMillis());
    }
    if (decision.degraded()) {
      json.field("degraded", true);
    }
  }

  private static Problem missing(Action action, KnownNamespace namespace) {
    return Problem.missingPermission(
        Permissions.text(action), Permissions.text(action, namespace.id()));
  }

  /** An id that nobody has here is no name: it may be that of another workspace. */
  private static @Nullable Problem creationRefusal(Caller caller, List<String> wanted) {
    if (wanted.stream().anyMatch(KnownNamespace::isId)) {
      return Problem.namespaceNotFound();
    }
    for (Action action : List.of(Action.CREATE_NAMESPACE, Action.LIMIT)) {
      if (!caller.permissions().allow(action)) {
        return Problem.missingPermission(Permissions.text(action));
      }
    }
    return caller.workspace().namespaces() + wanted.size() > MAX_NAMESPACES
        ? Problem.forbidden("A workspace has at most " + MAX_NAMESPACES + " namespaces.")
        : null;
  }

  /**
   * Goes on when the namespaces are made, or without them if the catalog does not answer: then a
   * later request makes them.
   */
  private void create(Call call, Caller caller, List<String> names, Runnable then) {
    if (catalog.isFailing()) {
      then.run();
      return;
    }
    CompletableFuture<?>[] made = names.stream()
        .map(name -> catalog.editor().createNamespace(caller, name))
        .toArray(CompletableFuture<?>[]::new);
    Later.when(
        CompletableFuture.allOf(made).orTimeout(CREATION_MILLIS, TimeUnit.MILLISECONDS),
        call,
        done -> then.run(),
        failure -> {
          call.warn(
              "a namespace could not be created; its requests are counted without it",
              "workspace",
              caller.workspace().id(),
              "namespaces",
              String.join(", ", names),
              "reason",
              failure.toString());
          then.run();
        });
  }
}
