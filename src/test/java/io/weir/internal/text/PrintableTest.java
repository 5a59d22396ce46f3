package io.weir.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
  @Test
  void line_escapesWhatATerminalWouldAct_andKeepsTheRest() {
    assertThat(Printable.line("line-7/W\u00e4rme \u6e29\u5ea6 \ud83d\ude00\tx"))
        .isEqualTo("line-7/W\u00e4rme \u6e29\u5ea6 \ud83d\ude00\tx");
    assertThat(Printable.line("a\u001b[2J\nno findings\r\u0007\u0085\u009b1m"))
        .isEqualTo("a\\u001b[2J\\nno findings\\r\\u0007\\u0085\\u009b1m");
    assertThat(Printable.line("\u202egnp\u2028\ufeff\u200b\udb40\udc41\ud800"))
        .isEqualTo("\\u202egnp\\u2028\\ufeff\\u200b\\udb40\\udc41\\ud800");
    String once = Printable.line("\u001b\\");
    assertThat(Printable.line(once)).isEqualTo(once);
  }

  @Test
  void line_ofJson_keepsItsMeaning() throws IOException {
    ObjectMapper json = new ObjectMapper();
    String id = "a\\\"\u009b\u202e\u0007\n\t\ud83d\ude00";
    assertThat(json.readValue(Printable.line(json.writeValueAsString(id)), String.class))
        .isEqualTo(id);
  }

  @Test
  void cut_endsWithTheLength_andSplitsNoCharacter() {
    assertThat(Printable.line("abc", 3)).isEqualTo("abc");
    assertThat(Printable.line("\n".repeat(5000), 2)).isEqualTo("\\n\\n ... (5,000 characters)");
    assertThat(Printable.cut("a\ud83d\ude00b", 2)).isEqualTo("a ... (4 characters)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "line-7/temperature",
        "",
        "a b",
        "it's",
        "$(touch /tmp/x)",
        "`id`;&|<>*?[]{}~#!",
        "--yes",
        "\\ back\\slash'",
        "a\u001b[2J\n; rm -rf x\u202e",
        "W\u00e4rme\u009b'\\"
      })
  void shellWord_isOneWordOfBash_andHasNoControlCharacter(String text) throws Exception {
    String word = Printable.shellWord(text);
    assertThat(Printable.line(word)).isEqualTo(word);
    Process bash =
        new ProcessBuilder(List.of("bash", "-c", "printf '%s.' " + word))
            .redirectErrorStream(true)
            .start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(text + ".");
  }
}
