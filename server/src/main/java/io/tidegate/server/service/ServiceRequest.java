package io.tidegate.server.service;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request as a front hands it to a service, without its content.
 *
 * @param id the request's id in log lines
 * @param path the operation in log lines: an HTTP path, or the full name of a gRPC method
 * @param rootKey the caller's root key; null if the request has none
 * @param executor runs the steps that follow a wait, usually on the thread of the connection. It
 *     may drop tasks once the client has been answered or has disconnected.
 */
public record ServiceRequest(
    String id, String path, @Nullable RootKeySecret rootKey, Executor executor) {}
