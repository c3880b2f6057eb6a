package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafeTextTest {

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      redis://host:6379/0                          | redis://host:6379/0
      redis://me:secret@host:6379/0                | redis://***@host:6379/0
      redis://:secret@host                         | redis://***@host
      redis://me:se@cret@host                      | redis://***@host
      redis://me:se/cret@host                      | redis://***@host
      redis://me:se?cret@host                      | redis://***
      redis:/me:secret@host                        | redis:***@host
      me:secret@host                               | me:***@host
      secret@host                                  | ***@host
      redis://host?password=secret                 | redis://host?***
      jdbc:mariadb://host/db?user=a&password=secret | jdbc:mariadb://host/db?***
      jdbc:mariadb://host/db?password=@secret      | jdbc:mariadb://***
      jdbc:h2:file:./x;PASSWORD=secret             | jdbc:h2:file:./x;***
      redis://a:secret@b,redis://c:secret@d        | redis://***@d
      """)
  void urlsAreShownWithoutSecrets(String url, String shown) {
    assertThat(SafeText.url(url)).isEqualTo(shown);
  }

  @Test
  void textIsOneLineOfBoundedLength() {
    assertThat(SafeText.text("a\nb\r\tc\u2028d\u202Ee")).isEqualTo("a\\nb\\r\\tc\\u2028d\\u202ee");
    assertThat(SafeText.text("x".repeat(101))).isEqualTo("x".repeat(100) + "...");
  }
}
