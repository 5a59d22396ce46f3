package io.weir.internal.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.yaml.YamlException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RulesFileTest {
  private static final String WHOLE =
      """
      rules:
        - name: boiler-too-hot          # names the alarm
          sensors: "boiler-*/temperature"
          high: 95
          high-high: 1e2
          deadband: 2
          on-delay: 30s
          priority: 0
        - name: vibration-unusual
          sensors: "*/vibration"
          deviation: {of: mean, baseline: 1h, sigmas: 4}
        - name: pump-silent
          sensors: "pump-*"
          silent-after: 1m
      """;

  @Test
  void wholeFile_isRead() {
    Rules rules = RulesFile.parse("r.yaml", WHOLE, 10_000);
    assertThat(rules.count()).isEqualTo(3);
    assertThat(rules.conditions())
        .extracting(Condition::level)
        .containsExactly(Level.HIGH, Level.HIGH_HIGH, Level.DEVIATION, Level.SILENT);
    Condition high = rules.conditions().get(0);
    assertThat(high.limit()).isEqualTo(95);
    assertThat(high.deadband()).isEqualTo(2);
    assertThat(high.onDelayMs()).isEqualTo(30_000);
    assertThat(high.priority()).isZero();
    assertThat(rules.conditions().get(1).limit()).isEqualTo(100);
    assertThat(rules.conditions().get(2).baseline())
        .isEqualTo(new BaselineSpec(BaselineSpec.Of.MEAN, 360));
    assertThat(rules.conditions().get(3).silentAfterMs()).isEqualTo(60_000);
    assertThat(rules.conditions().get(3).priority()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "high: hot | high=hot: expected: a number",
        "high: .nan | high=.nan: expected: a number",
        "high: 1e999 | high=1e999: expected: a number",
        "high: 9, low: 10 | high=9: expected: more than the next lower limit",
        "high: 9, deadband: -1 | deadband=-1: expected: 0 or more",
        "high: 9, on-delay: soon | on-delay=soon: expected: a duration such as",
        "high: 9, priority: 10 | priority=10: expected: 0, the most urgent, to 9",
        "high: 9, hihg: 9 | hihg=9: unknown field; expected: name, sensors",
        "high: 9, high: 9 | high=9: the field is set twice",
        "high: [9] | high: expected: one value",
        "high: 9, silent-after: 1m | name=n: expected: one of: limits",
        "deadband: 9 | name=n: expected: one of: limits",
        "silent-after: 1m, on-delay: 1s | on-delay=1s: not allowed with silent-after",
        "silent-after: 0s | silent-after=0s: expected: a duration of 1ms or more",
        "deviation: {baseline: 1h} | deviation: sigmas: expected: a number above 0",
        "deviation: {baseline: 90s, sigmas: 3} | deviation: baseline=90s: expected: 10 to 10000"
            + " windows, 100s to 100000s",
        "deviation: {baseline: 1h, sigmas: 3, of: sum} | deviation: of=sum: expected: min, max",
        "deviation: 3 | deviation=3: expected: a map of fields",
      })
  void wrongRule_isNamedInOneLine(String fields, String expected) {
    assertThatThrownBy(
            () ->
                RulesFile.parse(
                    "r.yaml", "rules:\n  - {name: n, sensors: '*', " + fields + "}\n", 10_000))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith("r.yaml, line 2, column ")
        .hasMessageContaining(": rule n: " + expected)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | the file is empty",
        "'rules: [' | not valid YAML",
        "'rules: 3' | rules=3: expected: a list",
        "'rule: []' | rule: unknown field; expected: rules",
        "'rules: [3]' | expected: a map of fields",
        "'rules: [{sensors: a, high: 1}]' | name: the field is missing; expected: a name",
        "'rules: [{name: a, high: 1}]' | sensors: the field is missing",
        "'rules: [{name: a, sensors: a, high: 1}, {name: a, sensors: a, high: 1}]' | name=a: another",
      })
  void wrongFile_isReportedInOneLine(String yaml, String expected) {
    assertThatThrownBy(() -> RulesFile.parse("r.yaml", yaml, 10_000))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith("r.yaml")
        .hasMessageContaining(expected)
        .hasMessageNotContaining("\n");
  }

  @Test
  void thousandConditions_areRead_oneMoreIsRefusedInOneLine() {
    String most = "rules:\n";
    for (int i = 0; i < 500; i++) {
      most += "  - {name: n" + i + ", sensors: '*', low: 1, high: 2}\n";
    }
    assertThat(RulesFile.parse("r.yaml", most, 10_000).conditions()).hasSize(1_000);
    String more = most + "  - {name: another, sensors: '*', silent-after: 1m}\n";
    assertThatThrownBy(() -> RulesFile.parse("r.yaml", more, 10_000))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith("r.yaml, line 502, column ")
        .hasMessageContaining(": rule another: name=another: expected: up to 1000 conditions")
        .hasMessageNotContaining("\n");
  }

  @Test
  void missingFile_orNoText_isReported(@TempDir Path dir) throws Exception {
    Path none = dir.resolve("none.yaml");
    assertThatThrownBy(() -> RulesFile.read(none, 10_000)).hasMessage(none + ": no such file");
    Path bytes = Files.write(dir.resolve("bytes.yaml"), new byte[] {'a', (byte) 0xff});
    assertThatThrownBy(() -> RulesFile.read(bytes, 10_000))
        .hasMessage(bytes + ": the file is not UTF-8");
  }

  @ParameterizedTest
  @CsvSource({
    "*,a/b,true",
    "pump-*,pump-3/flow,true",
    "*/vibration,a/b/vibration,true",
    "*/vibration,vibration,false",
    "a?c,abc,true",
    "a?c,ac,false",
    "a*b*c,axxbxbxc,true",
    "a*b*c,axxbxbx,false",
    "A,a,false",
    "a.c,abc,false"
  })
  void pattern_fitsIds(String pattern, String id, boolean fits) {
    assertThat(new SensorGlob(pattern).fits(id)).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource({
    "{1},boiler-3/temperature,boiler-3",
    "{1},boiler,boiler",
    "{1}/{2},plant-7/press-3/t,plant-7/press-3",
    "{2},a/b/c,b",
    "{3},a/b,a/b",
    "line-{2},a/b,line-b"
  })
  void group_isMadeOfParts(String template, String id, String group) {
    assertThat(GroupTemplate.parse(template).groupOf(id)).isEqualTo(group);
  }

  @ParameterizedTest
  @CsvSource({"{0}", "{a}", "{", "a}"})
  void template_withOtherBraces_isRefused(String template) {
    assertThatThrownBy(() -> GroupTemplate.parse(template))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
