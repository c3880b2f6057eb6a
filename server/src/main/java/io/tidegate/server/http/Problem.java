package io.tidegate.server.http;

import java.util.List;

/**
 * An error answer.
 *
 * @param status the HTTP status
 * @param title the same for all problems of a kind
 * @param kind the kind, which clients switch on: system, category and name
 * @param detail what happened in this request
 * @param errors for status 400, the errors in the parts of the request
 */
public record Problem(
    int status, String title, String kind, String detail, List<InputError> errors) {

  /** The form of error types that clients of this API know. */
  private static final String TYPE_PREFIX = "https://unkey.com/docs/errors/";

  /** The body does not match its schema, or a header is missing or invalid. */
  private static final String INVALID_INPUT = "unkey/application/invalid_input";

  /** A bound of a workspace is reached. */
  private static final String FORBIDDEN = "unkey/authorization/forbidden";

  public Problem {
    errors = List.copyOf(errors);
  }

  private static Problem of(int status, String title, String kind, String detail) {
    return new Problem(status, title, kind, detail, List.of());
  }

  /** The kind as a URI. */
  String type() {
    return TYPE_PREFIX + kind;
  }

  /** Whether clients expect {@code application/json} whatever they accept. */
  boolean isAlwaysJson() {
    return kind.equals(INVALID_INPUT);
  }

  /** Whether the server caused it, or a workspace reached a bound that operators should know. */
  boolean isForOperators() {
    return status >= 500 || kind.equals(FORBIDDEN);
  }

  /** The body does not match the schema of the route. */
  public static Problem invalidBody(String path, List<InputError> errors) {
    return new Problem(
        400,
        "Bad Request",
        INVALID_INPUT,
        "POST request body for '" + path + "' failed to validate schema",
        errors);
  }

  /** A header is missing or invalid. */
  public static Problem invalidHeader(String detail, InputError error) {
    return new Problem(400, "Bad Request", INVALID_INPUT, detail, List.of(error));
  }

  /** A parameter of the query is missing or invalid. */
  public static Problem invalidParameter(String name, String message) {
    return new Problem(
        400,
        "Bad Request",
        INVALID_INPUT,
        "The parameter '" + name + "' " + message,
        List.of(new InputError("query." + name, message, null)));
  }

  /** The query cannot be decoded. */
  public static Problem invalidParameters(String reason) {
    return of(400, "Bad Request", INVALID_INPUT, "The query cannot be decoded: " + reason);
  }

  /** The Authorization header has no bearer token. */
  public static Problem malformedAuthorization() {
    return of(
        400,
        "Bad Request",
        "unkey/authentication/malformed",
        "The Authorization header must be 'Bearer' and a root key.");
  }

  /** The body is not plain UTF-8 text. */
  public static Problem unreadableBody(String detail) {
    return of(400, "Bad Request", "user/bad_request/request_body_unreadable", detail);
  }

  /** The root key does not exist or was revoked. */
  public static Problem unknownKey() {
    return of(
        401,
        "Unauthorized",
        "unkey/authentication/key_not_found",
        "The root key is unknown or was revoked.");
  }

  /** A call of a gateway does not carry the secret of the port. */
  public static Problem wrongSecret() {
    return of(
        401,
        "Unauthorized",
        "unkey/authentication/key_not_found",
        "The secret of the gateway port is missing or wrong.");
  }

  /** The root key lacks a permission; any one of these would suffice. */
  public static Problem missingPermission(List<String> anyOf) {
    String quoted = "'" + String.join("' or '", anyOf) + "'";
    return of(
        403,
        "Insufficient Permissions",
        "unkey/authorization/insufficient_permissions",
        anyOf.size() == 1
            ? "Missing permission: " + quoted
            : "Missing one of these permissions: " + quoted);
  }

  /** The root key is disabled. */
  public static Problem keyDisabled() {
    return of(
        403, "Key is disabled", "unkey/authorization/key_disabled", "This root key is disabled.");
  }

  /** The workspace is disabled. */
  public static Problem workspaceDisabled() {
    return of(
        403,
        "Workspace is disabled",
        "unkey/authorization/workspace_disabled",
        "The workspace of this root key is disabled.");
  }

  /** The workspace has reached a bound. */
  public static Problem forbidden(String detail) {
    return of(403, "Forbidden", FORBIDDEN, detail);
  }

  /** No endpoint has this path. */
  static Problem unknownRoute(String detail) {
    return of(404, "Not Found", "user/bad_request/route_not_found", detail);
  }

  /** The endpoint accepts another method. */
  static Problem wrongMethod(String method) {
    return of(
        405,
        "Method Not Allowed",
        "user/bad_request/method_not_allowed",
        "This route accepts " + method + " only.");
  }

  /** The namespace does not exist. */
  public static Problem namespaceNotFound() {
    return of(
        404,
        "Not Found",
        "unkey/data/ratelimit_namespace_not_found",
        "This namespace does not exist.");
  }

  /** The override does not exist. */
  public static Problem overrideNotFound() {
    return of(
        404,
        "Not Found",
        "unkey/data/ratelimit_override_not_found",
        "This override does not exist.");
  }

  /** The domain has no rule of this name. */
  public static Problem ruleNotFound(String name, String domain) {
    return of(
        404,
        "Not Found",
        "unkey/data/ratelimit_rule_not_found",
        "The domain '" + domain + "' has no rule with the name '" + name + "'.");
  }

  /** Several rules of the domain have this name. */
  public static Problem ambiguousRule(String name, String domain) {
    return of(
        400,
        "Bad Request",
        "unkey/data/ratelimit_rule_ambiguous",
        "The name '" + name + "' is ambiguous: rules of the domain '" + domain
            + "' with different limits have it.");
  }

  /** The request exceeded the request timeout. */
  static Problem timeout() {
    return of(
        408,
        "Request Timeout",
        "user/bad_request/request_timeout",
        "The request took longer than the request timeout.");
  }

  /** The namespace was deleted. */
  public static Problem namespaceDeleted() {
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

  /** The endpoint accepts another type of content. */
  public static Problem unsupportedMediaType(String detail) {
    return of(415, "Unsupported Media Type", "user/bad_request/unsupported_media_type", detail);
  }

  /** The workspace has used up its requests per minute. */
  public static Problem workspaceThrottled() {
    return of(
        429,
        "Too Many Requests",
        "user/too_many_requests/workspace_rate_limited",
        "The workspace has used up its requests per minute.");
  }

  /** A dependency of the server is unavailable. */
  public static Problem unavailable(String detail) {
    return of(500, "Internal Server Error", "unkey/application/service_unavailable", detail);
  }

  /** The node is not ready yet; the same request will succeed later. */
  public static Problem starting(String detail) {
    return of(503, "Service Unavailable", "unkey/application/service_unavailable", detail);
  }

  /** The server has a defect. */
  static Problem unexpected() {
    return of(
        500,
        "Internal Server Error",
        "unkey/application/unexpected_error",
        "Internal error; the server's log has details under the id of this request.");
  }
}
