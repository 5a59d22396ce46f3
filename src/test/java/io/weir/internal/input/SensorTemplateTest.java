package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SensorTemplateTest {
  private static final Set<String> ALLOWED = Set.of("field", "tag:", "db");
  private static final Map<String, String> PARTS =
      Map.of("field", "temp", "tag:host", "h1", "tag:a b", "x", "db", "");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{tag:host}/{field}; h1/temp",
        "{tag:rack|none}/{field}; none/temp",
        "{tag:rack|}{field}; temp",
        "[{tag:rack}/]{field}; temp",
        "[{tag:host}/]{field}; h1/temp",
        "[{tag:host}-{tag:rack}/]{field}; temp",
        "\\{{field}\\}\\[\\]\\|\\\\; {temp}[]|\\",
        "{tag:a b}; x",
        "{db|weir}; weir",
        "{tag:rack}/{field}; ''",
        "{db}; ''"
      })
  void id_isMadeOfParts(String template, String id) {
    assertThat(
            SensorTemplate.parse(template, ALLOWED)
                .id(
                    (name, argument) ->
                        PARTS.get(argument.isEmpty() ? name : name + ":" + argument)))
        .isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "}",
        "{field",
        "{nothing}",
        "{tag}",
        "{tag:}",
        "{field:x}",
        "[",
        "]",
        "[[a]]",
        "a|b",
        "{field|a{b}}"
      })
  void wrongTemplate_isRefusedInALine(String template) {
    assertThatThrownBy(() -> SensorTemplate.parse(template, ALLOWED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: text with parts in braces (db, field, tag:)")
        .hasMessageNotContaining("\n");
  }
}
