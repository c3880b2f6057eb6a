/** The public port: connections, bodies, envelopes and what is done about bad clients. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.http;
