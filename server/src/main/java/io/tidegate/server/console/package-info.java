/**
 * The console: a page on the admin port that shows the fleet and answers operators' questions, and
 * the JSON that the page and the commands {@code inspect} and {@code top} use.
 *
 * <p>{@code Console} has the routes. {@code ConsoleAccess} decides who may use them. As a front,
 * the package translates and does not decide: questions go to {@code InspectionService}, edits and
 * decisions to the same services as those of the API, with the caller's root key. Everything runs
 * on an event loop. Names and identifiers come from clients: they are never part of a URL, and the
 * page shows them as text.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.console;
