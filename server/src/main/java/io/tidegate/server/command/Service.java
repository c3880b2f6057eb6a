package io.tidegate.server.command;

import io.tidegate.server.config.ServerConfig;
import java.io.PrintStream;

/** The server that {@code serve} starts. */
@FunctionalInterface
public interface Service {

  /** Serves until the process receives a signal to stop; returns its exit code. */
  int run(ServerConfig config, PrintStream out);
}
