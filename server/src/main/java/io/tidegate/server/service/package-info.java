/**
 * What the server does for a request, independent of the protocol it arrives on.
 *
 * <p>A front reads its protocol, calls {@link io.tidegate.server.service.LimitService} or
 * {@link io.tidegate.server.service.OverrideService}, and writes the
 * {@link io.tidegate.server.service.ServiceResult}. Every request goes through the same steps in
 * the same order: authenticate, throttle, resolve (rules, then namespaces), decide. The method
 * {@code serve} of each service shows them. A new front is one new package that depends on this
 * one; nothing here changes. This package uses neither HTTP nor Vert.x nor Netty
 * ({@code ServerArchitectureTest} checks it).
 *
 * <p>Threading: services are shared by all threads and never block. A request runs on the thread
 * that calls the service until a step has to wait for the origin or the catalog, and continues on
 * {@link io.tidegate.server.service.ServiceRequest#executor() the executor of the request}, so a
 * front whose executor is an event loop keeps each request on that loop. All state is in the
 * limiter and the catalog; objects of this package that belong to one request are immutable.
 */
@NullMarked
package io.tidegate.server.service;

import org.jspecify.annotations.NullMarked;
