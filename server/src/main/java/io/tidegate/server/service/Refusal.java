package io.tidegate.server.service;

import java.util.List;

/** The reason why a request was not served. Each front has one place that translates these. */
public sealed interface Refusal {

  /** Reasons that need no further detail. */
  enum Reason implements Refusal {
    /** The request has no root key. */
    MISSING_KEY,
    /** The node has not read its catalog yet. The same request can succeed later. */
    CATALOG_NOT_READ,
    /** The root key does not exist or was revoked. */
    UNKNOWN_KEY,
    /** The root key is disabled. */
    KEY_DISABLED,
    /** The workspace of the root key is disabled. */
    WORKSPACE_DISABLED,
    /** The workspace has used up its requests per minute. */
    WORKSPACE_THROTTLED,
    /** The workspace has no such namespace. */
    NAMESPACE_NOT_FOUND,
    /** The namespace was deleted. Its name stays reserved. */
    NAMESPACE_DELETED,
    /** The workspace has {@link LimitService#MAX_NAMESPACES} namespaces. */
    TOO_MANY_NAMESPACES,
    /** The override does not exist, or the caller may not read it. */
    OVERRIDE_NOT_FOUND,
    /**
     * The workspace has {@link OverrideService#MAX_OVERRIDES} overrides, or the namespace has
     * {@link OverrideService#MAX_WILDCARDS} with wildcards.
     */
    TOO_MANY_OVERRIDES
  }

  /**
   * The root key lacks a permission.
   *
   * @param anyOf the permissions of which one would suffice
   */
  record MissingPermission(List<String> anyOf) implements Refusal {

    public MissingPermission {
      anyOf = List.copyOf(anyOf);
    }
  }

  /**
   * The request names a rule that does not exist.
   *
   * @param name the name of the rule
   * @param domain the domain in which it was looked up: the id of the caller's workspace
   */
  record UnknownRule(String name, String domain) implements Refusal {}

  /**
   * The request names a rule, and several rules with different limits have this name.
   *
   * @param name the name of the rules
   * @param domain the domain in which it was looked up: the id of the caller's workspace
   */
  record AmbiguousRule(String name, String domain) implements Refusal {}

  /**
   * The catalog did not confirm an edit. The edit may or may not have been applied.
   *
   * @param cause the failure
   */
  record CatalogUnavailable(Throwable cause) implements Refusal {}
}
