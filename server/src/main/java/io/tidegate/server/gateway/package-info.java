/**
 * The front for gateways: Envoy's rate limit service, gRPC health, and forward auth over HTTP.
 *
 * <p>{@link io.tidegate.server.gateway.Gateway} lists the endpoints of the gateway port. gRPC is
 * HTTP/2 with a prefix of five bytes and trailers, and the messages are small, so both are read and
 * written here, without a gRPC library: that takes a third of the CPU time. Decisions are made by
 * {@link io.tidegate.server.service.RuleService}; this package translates.
 *
 * <p>A call belongs to the event loop of its {@link io.tidegate.server.http.HttpExchange exchange}
 * and never blocks it. Input is not trusted, even of clients that may connect: any bytes get an
 * answer, and what is allocated for them is bounded by their length.
 */
@NullMarked
package io.tidegate.server.gateway;

import org.jspecify.annotations.NullMarked;
