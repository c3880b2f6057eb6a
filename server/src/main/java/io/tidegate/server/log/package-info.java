/** What the server tells whoever runs it: one line for each event. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.log;
