package io.tidegate.server.http;

import java.util.List;

/**
 * Why a request is not answered as it wished.
 *
 * @param status the HTTP status
 * @param title the same for all of this kind
 * @param kind what clients tell it by: system, category and name
 * @param detail what happened this time
 * @param errors for status 400, the parts that are wrong
 */
public record Problem(
    int status, String title, String kind, String detail, List<Violation> errors) {

  /** The form that clients of this API know. */
  private static final String TYPE_PREFIX = "https://unkey.com/docs/errors/";

  /** The body has not the form that the route wants, or a header is missing or wrong. */
  static final String INVALID_INPUT = "unkey/application/invalid_input";

  /** A bound of a workspace is reached. */
  private static final String FORBIDDEN = "unkey/authorization/forbidden";

  public Problem {
    errors = List.copyOf(errors);
  }

  private static Problem of(int status, String title, String kind, String detail) {
    return new Problem(status, title, kind, detail, List.of());
  }

  /** Where the kind is explained. */
  String type() {
    return TYPE_PREFIX + kind;
  }

  /** Clients read these as JSON, whatever they accept. */
  boolean isAboutSchema() {
    return kind.equals(INVALID_INPUT);
  }

  /** Whether the cause is on our side, or a bound that an operator may have to know of. */
  boolean isForOperators() {
    return status >= 500 || kind.equals(FORBIDDEN);
  }

  /** The body has not the form that the route wants. */
  public static Problem invalidBody(String path, List<Violation> errors) {
    return new Problem(
        400,
        "Bad Request",
        INVALID_INPUT,
        "POST request body for '" + path + "' failed to validate schema",
        errors);
  }

  /** A header is missing or wrong. */
  public static Problem invalidHeader(String detail, Violation error) {
    return new Problem(400, "Bad Request", INVALID_INPUT, detail, List.of(error));
  }

  /** The Authorization header is not of the form that is wanted. */
  public static Problem malformedAuthorization() {
    return of(
        400,
        "Bad Request",
        "unkey/authentication/malformed",
        "The Authorization header must be 'Bearer' and a root key.");
  }

  /** The body cannot be read as text. */
  public static Problem unreadableBody(String detail) {
    return of(400, "Bad Request", "user/bad_request/request_body_unreadable", detail);
  }

  /** Nobody has this key. */
  public static Problem unknownKey() {
    return of(
        401,
        "Unauthorized",
        "unkey/authentication/key_not_found",
        "The root key is unknown or was revoked.");
  }

  /** The key may not do this. */
  public static Problem missingPermission(String... anyOf) {
    String quoted = "'" + String.join("' or '", anyOf) + "'";
    return of(
        403,
        "Insufficient Permissions",
        "unkey/authorization/insufficient_permissions",
        anyOf.length == 1
            ? "Missing permission: " + quoted
            : "Missing one of these permissions: " + quoted);
  }

  /** The key is switched off. */
  public static Problem keyDisabled() {
    return of(
        403, "Key is disabled", "unkey/authorization/key_disabled", "This root key is disabled.");
  }

  /** The workspace is switched off. */
  public static Problem workspaceDisabled() {
    return of(
        403,
        "Workspace is disabled",
        "unkey/authorization/workspace_disabled",
        "The workspace of this root key is disabled.");
  }

  /** There would be too many of something. */
  public static Problem forbidden(String detail) {
    return of(403, "Forbidden", FORBIDDEN, detail);
  }

  /** There is no such route. */
  static Problem unknownRoute(String detail) {
    return of(404, "Not Found", "user/bad_request/route_not_found", detail);
  }

  /** The route is for another method. */
  static Problem wrongMethod(String method) {
    return of(
        405,
        "Method Not Allowed",
        "user/bad_request/method_not_allowed",
        "This route is for " + method + " requests.");
  }

  /** There is no such namespace, or no longer. */
  public static Problem namespaceNotFound() {
    return of(
        404,
        "Not Found",
        "unkey/data/ratelimit_namespace_not_found",
        "This namespace does not exist.");
  }

  /** There is no such override. */
  public static Problem overrideNotFound() {
    return of(
        404,
        "Not Found",
        "unkey/data/ratelimit_override_not_found",
        "This override does not exist.");
  }

  /** The body did not come in time. */
  static Problem timeout() {
    return of(
        408,
        "Request Timeout",
        "user/bad_request/request_timeout",
        "The request was not complete in time.");
  }

  /** There was such a namespace. */
  public static Problem namespaceGone() {
    return of(
        410,
        "Resource Gone",
        "unkey/data/ratelimit_namespace_gone",
        "This namespace has been deleted. Contact support to restore.");
  }

  /** The body is too long. */
  static Problem bodyTooLarge(String detail) {
    return of(413, "Request Entity Too Large", "user/bad_request/request_body_too_large", detail);
  }

  /** The workspace has made too many requests. */
  public static Problem workspaceThrottled() {
    return of(
        429,
        "Too Many Requests",
        "user/too_many_requests/workspace_rate_limited",
        "This workspace has made its requests of this minute.");
  }

  /** Something of ours does not answer. */
  public static Problem unavailable(String detail) {
    return of(500, "Internal Server Error", "unkey/application/service_unavailable", detail);
  }

  /** The node cannot serve yet; the same request will work later. */
  public static Problem starting(String detail) {
    return of(503, "Service Unavailable", "unkey/application/service_unavailable", detail);
  }

  /** Something of ours is broken. */
  static Problem unexpected() {
    return of(
        500,
        "Internal Server Error",
        "unkey/application/unexpected_error",
        "Something went wrong on our side; the log has more under the id of this request.");
  }
}
