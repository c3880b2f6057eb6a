/**
 * The command line of the program.
 *
 * <p>{@code Commands} builds the tree of commands and prints their failures; each command is one
 * class. Commands that edit the catalog open it through {@code CatalogSession} and close it before
 * they return; a server may use the same catalog at the same time. Only {@code Main} calls this
 * package. A command runs on the main thread.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.command;
