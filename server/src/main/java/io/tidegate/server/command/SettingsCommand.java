package io.tidegate.server.command;

import io.tidegate.server.config.SettingsTemplate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a file of all settings. */
@Command(
    name = "settings",
    description = {
      "Print a file of all settings for --config, each commented out with its default.",
      "",
      "Example: tidegate settings > tidegate.yaml"
    })
final class SettingsCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Override
  public void run() {
    command.commandLine().getOut().print(SettingsTemplate.text());
    command.commandLine().getOut().flush();
  }
}
