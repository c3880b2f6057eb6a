package io.tidegate.server.api;

import io.tidegate.server.catalog.Action;
import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogEditor;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.Overrides;
import io.tidegate.server.catalog.Permissions;
import io.tidegate.server.http.Call;
import io.tidegate.server.http.JsonWriter;
import io.tidegate.server.http.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sets, shows and deletes overrides. Shows what this node knows; edits are known here at once. */
final class OverrideRoutes {

  private static final long DEFAULT_PAGE = 10;

  /**
   * An index finds the one that holds. At the worst, if they all share their literal text, a
   * decision tries all of them.
   */
  private static final int MAX_WILDCARDS = 1_000;

  /** Of a workspace: every node has all of them in memory, and those that were deleted. */
  private static final int MAX_OVERRIDES = 100_000;

  private final CatalogEditor editor;

  OverrideRoutes(CatalogEditor editor) {
    this.editor = editor;
  }

  /** Makes an override, changes it, or brings it back. */
  void set(Call call, Caller caller, List<Fields> body) {
    Fields fields = body.get(0);
    KnownNamespace namespace = permitted(call, caller, fields, Action.SET_OVERRIDE);
    if (namespace == null) {
      return;
    }
    if (isOneTooMany(caller, namespace.overrides(), fields.identifier())) {
      call.fail(Problem.forbidden("A workspace has at most " + MAX_OVERRIDES
          + " overrides, deleted ones among them, and a namespace " + MAX_WILDCARDS
          + " with wildcards."));
      return;
    }
    Later.when(
        editor.setOverride(
            caller, namespace, fields.identifier(), fields.limit(), fields.durationMillis()),
        call,
        override -> call.succeed(json -> {
          json.beginObject();
          json.field("overrideId", override.id());
          json.endObject();
        }),
        failure -> unavailable(call, failure));
  }

  private static boolean isOneTooMany(Caller caller, Overrides overrides, String pattern) {
    return overrides.exact(pattern) == null
        && (caller.workspace().patterns() >= MAX_OVERRIDES
            || pattern.contains("*") && overrides.wildcards() >= MAX_WILDCARDS);
  }

  /** Shows the override that holds for an identifier. Who may not see it is not told of it. */
  void get(Call call, Caller caller, List<Fields> body) {
    Fields fields = body.get(0);
    KnownNamespace namespace = existing(caller, fields);
    if (namespace == null) {
      call.fail(Problem.namespaceNotFound());
      return;
    }
    KnownOverride override = namespace.overrides().find(fields.identifier());
    if (override == null
        || !caller
            .permissions()
            .allow(Action.READ_OVERRIDE, caller.workspace().id(), namespace.id(), override.id())) {
      call.fail(Problem.overrideNotFound());
    } else {
      call.succeed(json -> write(json, override));
    }
  }

  /** Shows some, by id. */
  void list(Call call, Caller caller, List<Fields> body) {
    Fields fields = body.get(0);
    KnownNamespace namespace = permitted(call, caller, fields, Action.READ_OVERRIDE);
    if (namespace == null) {
      return;
    }
    int most = (int) fields.limit(DEFAULT_PAGE);
    List<KnownOverride> found = namespace.overrides().page(fields.cursor(""), most + 1);
    boolean hasMore = found.size() > most;
    call.succeed(json -> {
      json.beginArray();
      for (KnownOverride override : hasMore ? found.subList(0, most) : found) {
        write(json, override);
      }
      json.endArray();
      json.name("pagination").beginObject();
      json.field("hasMore", hasMore);
      if (hasMore) {
        json.field("cursor", found.get(most).id());
      }
      json.endObject();
    });
  }

  /** Deletes the override of exactly this pattern. */
  void delete(Call call, Caller caller, List<Fields> body) {
    Fields fields = body.get(0);
    KnownNamespace namespace = permitted(call, caller, fields, Action.DELETE_OVERRIDE);
    if (namespace == null) {
      return;
    }
    Later.when(
        editor.deleteOverride(caller, namespace, fields.identifier()),
        call,
        deleted -> {
          if (deleted.isEmpty()) {
            call.fail(Problem.overrideNotFound());
          } else {
            call.succeed(json -> {
              json.beginObject();
              json.endObject();
            });
          }
        },
        failure -> unavailable(call, failure));
  }

  private static @Nullable KnownNamespace existing(Caller caller, Fields fields) {
    KnownNamespace namespace = caller.workspace().namespace(fields.namespace());
    return namespace == null || namespace.deleted() ? null : namespace;
  }

  /** The namespace, if it is there and the caller may do this in it; null if that was answered. */
  private static @Nullable KnownNamespace permitted(
      Call call, Caller caller, Fields fields, Action action) {
    KnownNamespace namespace = existing(caller, fields);
    if (namespace == null) {
      call.fail(Problem.namespaceNotFound());
      return null;
    }
    String id = namespace.id();
    if (!caller.permissions().allow(action, id)) {
      call.fail(Problem.missingPermission(Permissions.text(action), Permissions.text(action, id)));
      return null;
    }
    return namespace;
  }

  private static void write(JsonWriter json, KnownOverride override) {
    json.beginObject();
    json.field("overrideId", override.id());
    json.field("duration", override.durationMillis());
    json.field("identifier", override.identifier());
    json.field("limit", override.limit());
    json.endObject();
  }

  private static void unavailable(Call call, Throwable failure) {
    call.fail(
        Problem.unavailable("The catalog does not answer; nothing may have changed."), failure);
  }
}
