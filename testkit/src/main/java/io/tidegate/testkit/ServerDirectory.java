package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The temporary directory that a server works in: its data, and what it says. */
record ServerDirectory(Path path) {

  static ServerDirectory create() {
    try {
      return new ServerDirectory(Files.createTempDirectory("tidegate-server-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a directory for a server", e);
    }
  }

  /** Where the server's output goes: to a file, so that nobody has to keep reading it. */
  Path output() {
    return path.resolve("output.log");
  }

  String readOutput() {
    try {
      return new String(
          Files.readAllBytes(output()), StandardCharsets.UTF_8); // whatever the bytes are
    } catch (IOException e) {
      return "(no output: " + e + ")";
    }
  }

  void delete() {
    FileTree.delete(path);
  }
}
