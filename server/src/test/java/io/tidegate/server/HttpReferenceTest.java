package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code docs/http.md} shows is what happens. */
class HttpReferenceTest {

  /** A command and the answer below it. */
  private static final Pattern EXAMPLE = Pattern.compile(
      "```sh\\ncurl \\$BASE(?<path>\\S+)(?:[^`]*?-d '(?<body>[^']*)')?\\n```\\n```json\\n(?<answer>[^`]*)```");

  /** Values that differ in each run. */
  private static final Pattern RANDOM = Pattern.compile("\"(req|rlor)_[0-9A-Za-z]{9}\"");

  /** The time of the examples: the first second of 2026. */
  private static final String TIME = "1767225600000";

  private static final String ANOTHER = Json.object(
      "namespace", "api.requests", "identifier", "user_**", "limit", 1_000, "duration", 60_000);

  private record Example(String path, @Nullable String body, String answer) {}

  private static List<Example> examples() throws IOException {
    Matcher matcher = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "http.md")));
    List<Example> examples = new ArrayList<>();
    while (matcher.find()) {
      examples.add(
          new Example(matcher.group("path"), matcher.group("body"), matcher.group("answer")));
    }
    return examples;
  }

  @Test
  void examplesAreAnsweredAsShown() throws IOException {
    List<Example> examples = examples();
    assertThat(examples).extracting(Example::path).hasSize(7).doesNotHaveDuplicates();
    try (Node node = Node.start("--test-clock")) {
      for (Example example : examples) {
        if (example.path.endsWith("listOverrides")) {
          node.ask("setOverride", ANOTHER); // so that there is a second page
        }
        assertThat(sameEachTime(ask(node, example).text()))
            .as(example.path)
            .isEqualTo(sameEachTime(example.answer));
      }
    }
  }

  private static Answer ask(Node node, Example example) {
    return example.body == null
        ? Answer.of(Node.send(HttpRequest.newBuilder(node.uri(example.path)).build()))
        : Answer.of(node.post(
            example.path,
            example.body,
            "Authorization",
            "Bearer " + node.key(),
            "X-Test-Time",
            TIME));
  }

  /** Ids are random, and so is the order of the two overrides. */
  private static String sameEachTime(String answer) {
    return RANDOM
        .matcher(Json.write(Json.parse(answer)))
        .replaceAll("\"$1_\"")
        .replace("\"user_**\"", "\"user_*\"");
  }
}
