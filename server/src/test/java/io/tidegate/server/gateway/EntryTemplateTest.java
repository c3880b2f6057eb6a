package io.tidegate.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryTemplateTest {

  @Test
  void parsesAllSources() {
    assertThat(EntryTemplate.parse(
            "a:client,n:network,b:path,c-d_e.f:header(X-Api-Key),g:value(x),h:value()"))
        .extracting(EntryTemplate::key)
        .containsExactly("a", "n", "b", "c-d_e.f", "g", "h");
  }

  @Test
  void constantsMayContainSeparators() {
    assertThat(EntryTemplate.parse("a:value(x,y:z=1),b:client"))
        .extracting(EntryTemplate::key)
        .containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ''                       | ''
      client                   | client
      a:                       | a:
      :client                  | :client
      a:clients                | a:clients
      a:Client                 | a:Client
      a:header                 | a:header
      a:header()               | a:header()
      a:header(x               | a:header(x
      a:value(x)y              | a:value(x)y
      a:value((x))             | a:value((x))
      a:client,                | a:client,
      a:client,,b:client       | ,b:client
      a:client,b:what,c:client | b:what,c:client
      a:client b:client        | a:client b:client
      """)
  void errorsShowThePartThatIsWrong(String descriptor, String shown) {
    assertThatThrownBy(() -> EntryTemplate.parse(descriptor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "must be KEY:client, KEY:network, KEY:path, KEY:header(NAME) or KEY:value(TEXT), several separated by commas: "
                + shown);
  }
}
