package io.weir.internal.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.yaml.YamlException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that no person wrote: each is refused with one line, at a cost of its size. */
class HostileRulesTest {
  private static Rules parse(String yaml) {
    return RulesFile.parse("rules.yaml", yaml, 10_000);
  }

  private static void assertRefused(String yaml, String why) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining(why)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- "})
  void listsAndMapsWithoutEnd_areRefused(String opening) {
    assertRefused("rules:\n  " + opening.repeat(300_000), "nested more than 20 deep");
  }

  @Test
  void aNumberOfAMillionDigits_isRefused() {
    String digits = "1".repeat(1_000_000);
    assertRefused("rules: [{name: a, sensors: b, high: " + digits + "x}]", "longer than 1000");
  }

  @Test
  void aliasesOfAliases_areNotMultiplied() {
    StringBuilder bomb = new StringBuilder("rules: &a0 [x]\n");
    for (int i = 1; i < 60; i++) {
      String before = "*a" + (i - 1);
      bomb.append("a" + i + ": &a" + i + " [" + (before + ", ").repeat(9) + before + "]\n");
    }
    assertRefused(bomb.toString(), "Number of aliases");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rules: &a [*a]",
        "rules: [&a {name: *a}]",
        "rules: [&a {? *a : b}]",
        "rules: [{<<: {name: a}, sensors: b, high: 1}]",
        "rules: [{name: a, sensors: b, high: 1, high: 2}]",
        "rules: []\n---\nrules: []"
      })
  void whatYamlAllowsAndRulesDoNot_isRefused(String yaml) {
    assertRefused(yaml, "rules.yaml");
  }

  @Test
  void theMessage_isOneLine_whateverTheFileHolds() {
    assertRefused("rules: [{\"a\\nb\\e[31m\\u2028\": 1}]", ": a b [31m =1: unknown field");
    assertRefused(
        "rules: [{name: a, sensors: b, deviation: {sigmas: 1, of: \"a\\nb\"}}]", "of=a b: ");
  }

  @Test
  void aTag_buildsNothing() {
    assertThat(parse("rules: [!!java.io.File {name: !!java.net.URL a, sensors: b, high: 1}]"))
        .returns(1L, Rules::count);
  }

  @Test
  void noise_isRefusedOrRead() {
    Random random = new Random(20261122);
    String pieces = "[]{}:,-?&*!|>'\"%@` \n\t#a1.\\rules: name sensors high ";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder noise = new StringBuilder(random.nextBoolean() ? "rules:\n- " : "");
      for (int length = random.nextInt(60); length > 0; length--) {
        noise.append(pieces.charAt(random.nextInt(pieces.length())));
      }
      try {
        parse(noise.toString());
      } catch (YamlException e) {
        assertThat(e.getMessage())
            .as(
                Base64.getEncoder()
                    .encodeToString(noise.toString().getBytes(StandardCharsets.UTF_8)))
            .startsWith("rules.yaml")
            .doesNotContain("\n");
      }
    }
  }
}
