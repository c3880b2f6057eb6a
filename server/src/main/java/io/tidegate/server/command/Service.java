package io.tidegate.server.command;

import io.tidegate.server.config.ServerConfig;
import java.io.PrintStream;

/** What {@code serve} starts. */
@FunctionalInterface
public interface Service {

  /** Serves until the process is told to stop; returns its exit code. */
  int run(ServerConfig config, PrintStream out);
}
