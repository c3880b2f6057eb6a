package io.tidegate.server.api;

import io.tidegate.server.http.InputError;
import io.tidegate.server.http.Problem;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import io.tidegate.server.service.Refusal;

/** Translates the refusals of the services to HTTP problems. The only place that does. */
public final class Problems {

  private Problems() {}

  /** The problem that a refusal is answered with. */
  public static Problem of(Refusal refusal) {
    if (refusal instanceof Refusal.Reason reason) {
      return of(reason);
    }
    if (refusal instanceof Refusal.MissingPermission missing) {
      return Problem.missingPermission(missing.anyOf());
    }
    if (refusal instanceof Refusal.UnknownRule unknown) {
      return Problem.ruleNotFound(unknown.name(), unknown.domain());
    }
    if (refusal instanceof Refusal.AmbiguousRule ambiguous) {
      return Problem.ambiguousRule(ambiguous.name(), ambiguous.domain());
    }
    return Problem.unavailable(
        "The catalog does not answer; the change may not have been applied.");
  }

  private static Problem of(Refusal.Reason reason) {
    return switch (reason) {
      case MISSING_KEY ->
        Problem.invalidHeader(
            "The Authorization header is missing.",
            new InputError(
                "header.Authorization",
                "is required",
                "Send the header 'Authorization: Bearer ' and a root key."));
      case CATALOG_NOT_READ ->
        Problem.starting("This node has not read its catalog yet; try again.");
      case UNKNOWN_KEY -> Problem.unknownKey();
      case KEY_DISABLED -> Problem.keyDisabled();
      case WORKSPACE_DISABLED -> Problem.workspaceDisabled();
      case WORKSPACE_THROTTLED -> Problem.workspaceThrottled();
      case NAMESPACE_NOT_FOUND -> Problem.namespaceNotFound();
      case NAMESPACE_DELETED -> Problem.namespaceDeleted();
      case TOO_MANY_NAMESPACES ->
        Problem.forbidden(
            "A workspace has at most " + LimitService.MAX_NAMESPACES + " namespaces.");
      case OVERRIDE_NOT_FOUND -> Problem.overrideNotFound();
      case TOO_MANY_OVERRIDES ->
        Problem.forbidden("A workspace has at most " + OverrideService.MAX_OVERRIDES
            + " overrides, deleted ones included, and a namespace "
            + OverrideService.MAX_WILDCARDS + " with wildcards.");
    };
  }
}
