package io.tidegate.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of the documentation, with the code blocks of its sections. */
record Page(String name, String text) {

  static Page read(String name) throws IOException {
    return new Page(name, Files.readString(Path.of("..", "docs", name)));
  }

  /** All blocks of a language, such as {@code java}. */
  List<String> blocks(String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text)
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** The part below a heading of the second level. */
  Page section(String heading) {
    return Pattern.compile("^## (.*?)\n(.*?)(?=^## |\\z)", Pattern.DOTALL | Pattern.MULTILINE)
        .matcher(text)
        .results()
        .filter(section -> section.group(1).equals(heading))
        .map(section -> new Page(name + ", " + heading, section.group(2)))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(name + " has no section " + heading));
  }

  List<String> headings() {
    return Pattern.compile("^## (.*)$", Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map((MatchResult heading) -> heading.group(1))
        .toList();
  }
}
