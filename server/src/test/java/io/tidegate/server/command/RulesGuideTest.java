package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Terminal.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/rules.md} shows is what happens. */
class RulesGuideTest {

  private static final Pattern FILE = Pattern.compile("(?s)```yaml\n(# rules/(\\S+)\n.*?)```");

  private static final Pattern COMMAND =
      Pattern.compile("(?s)\\$ \\./tidegate (rules [^\n]*)\n(.*?)\n\n(?=\\$ )");

  @TempDir
  private Path directory;

  private final String guide;

  RulesGuideTest() throws IOException {
    guide = Files.readString(Path.of("../docs/rules.md"));
  }

  @Test
  void commandsPrintWhatTheGuideShows() throws IOException {
    for (MatchResult file : FILE.matcher(guide).results().toList()) {
      Files.writeString(directory.resolve(file.group(2)), file.group(1));
    }
    List<MatchResult> commands = COMMAND.matcher(guide).results().toList();
    assertThat(commands).hasSize(2);
    for (MatchResult command : commands) {
      String[] arguments = command.group(1).split(" ");
      arguments[2] = directory.toString();
      Result result = new Terminal().run(arguments);
      assertThat(result.err()).isEmpty();
      assertThat(result.out().strip())
          .isEqualToNormalizingNewlines(command.group(2).strip());
    }
  }
}
