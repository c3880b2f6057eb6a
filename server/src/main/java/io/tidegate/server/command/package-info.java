/** What the program can be told to do, from the command line. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.command;
