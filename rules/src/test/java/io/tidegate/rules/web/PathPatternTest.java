package io.tidegate.rules.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/, ''",
    "/, //",
    "/**, /",
    "/**, ''",
    "/**, /a",
    "/**, /a/b/c/",
    "/a, /a",
    "/a, /a/",
    "/a/, /a",
    "/a, //a//",
    "/a/**, /a",
    "/a/**, /a/",
    "/a/**/, /a/b",
    "/a/**, /a/b",
    "/a/**, /a//b/c",
    "/a/*, /a/b",
    "/a/*, /a/b/",
    "/a/*/c, /a/b/c",
    "/a/{id}, /a/7",
    "/a/{id}/b, /a/7/b",
    "/{x}/{y}/**, /1/2",
    "/{x}/{y}/**, /1/2/3/4",
    "/v*/a, /v/a",
    "/v*/a, /v12/a",
    "/*.json, /x.json",
    "/*.json, /.json",
    "/*.json, /a.json.json",
    "/a*b*c, /abc",
    "/a*b*c, /axxbxbxc",
    "/a*a, /aa",
    "/*a*, /a",
    "/*-*/**, /x-y/z",
    "/ä/{b}, /ä/ö",
    "/a b, /a b",
    "/a%, /a%",
    "/a;b, /a;b"
  })
  void matches(String pattern, String path) {
    assertThat(PathPattern.parse(pattern).matches(path)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/, /a",
    "/a, /",
    "/a, ''",
    "/a, /A",
    "/a, /ab",
    "/ab, /a",
    "/a, /a/b",
    "/a, /b/a",
    "/a/b, /a",
    "/a/*, /a",
    "/a/*, /a/",
    "/a/*, /a/b/c",
    "/a/{id}, /a",
    "/a/{id}, /a/1/2",
    "/a/*/c, /a//c",
    "/a/**, /ab",
    "/a/**, /b",
    "/a/b/**, /a",
    "/v*/a, /w/a",
    "/v*, /v/x",
    "/*.json, /x.jsonx",
    "/*.json, /json",
    "/a*a, /a",
    "/a*b*c, /acb",
    "/*ab, /a",
    "/{x}/{y}/**, /1"
  })
  void doesNotMatch(String pattern, String path) {
    assertThat(PathPattern.parse(pattern).matches(path)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "api/** | must start with /",
        "'' | must start with /",
        "* | must start with /",
        "/a//b | empty segment",
        "// | empty segment",
        "/a// | empty segment",
        "/./a | segment .",
        "/a/.. | segment ..",
        "/a?x=1 | only the path",
        "/a#top | only the path",
        "/a/**/b | ** only as its last segment",
        "/**/a | ** only as its last segment",
        "/a** | ** only as its last segment",
        "/*** | ** only as its last segment",
        "/{id | unbalanced braces in {id",
        "/id} | unbalanced braces in id}",
        "/{a}{b} | unbalanced braces in {a}{b}",
        "/}a{ | unbalanced braces in }a{",
        "/{a/b} | unbalanced braces in {a",
        "/{id}.json | only around a whole segment; use * within {id}.json",
        "/x{id} | only around a whole segment",
        "/{} | a plain name in braces",
        "/{*rest} | a plain name in braces",
        "/{id:[0-9]+} | a plain name in braces",
        "/a%20b | percent-encoded",
        "/a%2Fb | percent-encoded"
      })
  void patternThatCanNeverMatchIsRejected(String pattern, String reason) {
    assertThatThrownBy(() -> PathPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("path \"" + pattern + "\" ")
        .hasMessageContaining(reason);
  }

  @Test
  void textIsKept() {
    assertThat(PathPattern.parse("/a/{id}/**")).hasToString("/a/{id}/**");
  }

  /** A longer pattern with many wildcards takes no more than the product of both lengths. */
  @Test
  void wildcardsDoNotBacktrackWithoutBound() {
    PathPattern pattern = PathPattern.parse("/" + "*a".repeat(200) + "b");
    assertThat(pattern.matches("/" + "a".repeat(8_000))).isFalse();
  }

  /** Compares with regular expressions on random patterns and paths of few letters. */
  @Test
  void agreesWithRegularExpressions() {
    Random random = new Random(17);
    for (int round = 0; round < 20_000; round++) {
      String text = randomPattern(random);
      Pattern expected = Pattern.compile(regex(text));
      String path = randomPath(random);
      assertThat(PathPattern.parse(text).matches(path))
          .as("%s on %s", text, path)
          .isEqualTo(
              expected.matcher(path.replaceAll("/+", "/").replaceAll("/$", "")).matches());
    }
  }

  private static String randomPattern(Random random) {
    List<String> segments = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      segments.add(List.of("a", "b", "{x}", "*", "a*", "*b", "a*b", "*a*").get(random.nextInt(8)));
    }
    if (random.nextBoolean()) {
      segments.add("**");
    }
    return "/" + String.join("/", segments);
  }

  private static String randomPath(Random random) {
    StringBuilder path = new StringBuilder("/");
    for (int i = random.nextInt(8); i > 0; i--) {
      path.append("ab/".charAt(random.nextInt(3)));
    }
    return path.toString();
  }

  private static String regex(String pattern) {
    return pattern
        .replaceAll("/\\*\\*$", "REST")
        .replaceAll("/$", "")
        .replaceAll("\\{x}", "SEGMENT")
        .replaceAll("(?<=/)\\*(?=/|$|REST)", "SEGMENT")
        .replace("*", "[^/]*")
        .replace("SEGMENT", "[^/]+")
        .replace("REST", "(/.*)?");
  }
}
