package io.weir.internal.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.yaml.YamlException;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermissionFileTest {
  private static final String FILE =
      """
      gateways:
        - gateway: line-7
          sensors: ["plant/line-7/*", "plant/weather"]
          lowest-generation: 2
          lowest-boot: 2023-11-14T22:13:20Z
        - gateway: line-3
          revoked: true
        - gateway: "line-*"
          sensors: ["plant/{gateway}/*"]
        - gateway: "*"
          sensors: ["free/*"]
      """;

  private final Permissions permissions = PermissionFile.parse("g.yaml", FILE, true);

  /** As tail and dead letters show it. */
  @Test
  void lowestBoot_isTheNumberOfARealBoot() {
    long bootId = 1_800_000_000_000L << 20;
    Permissions ofBoot =
        PermissionFile.parse(
            "g.yaml",
            "gateways:\n  - {gateway: n, sensors: [a], lowest-boot: " + bootId + "}\n",
            false);
    assertThat(ofBoot.lines().toString()).contains("boots from " + bootId);
  }

  @Test
  void entryWithTheId_comesFirst_thenTheFirstPatternThatFits() {
    assertThat(allows("line-7", "plant/weather")).isTrue();
    assertThat(allows("line-7", "plant/line-7/t1")).isTrue();
    assertThat(allows("line-7", "free/x")).isFalse();
    assertThat(allows("line-8", "plant/line-8/t1")).isTrue();
    assertThat(allows("line-8", "plant/line-7/t1")).isFalse();
    assertThat(allows("line-8", "free/x")).isFalse();
    assertThat(allows("hall", "free/x")).isTrue();
    assertThat(permissions.lines())
        .containsExactly(
            "line-7: 2 patterns, boots from 1782579200000000000, keys from generation 2"
                .replace("1782579200000000000", String.valueOf(1_700_000_000_000L << 20)),
            "line-3: revoked",
            "line-*: 1 pattern",
            "*: 1 pattern");
  }

  @Test
  void gatewayWithoutAnId_mayNothing() {
    assertThat(refusal("", 5, false, 1)).isEqualTo(RejectReason.NOT_ITS_SENSOR);
    assertThat(allows("", "free/x")).isFalse();
  }

  @Test
  void revoked_orBelowTheLowest_isRevoked() {
    long boot = 1_700_000_000_000L << 20;
    assertThat(refusal("line-3", boot, false, 9)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-3", boot, true, 0)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-7", boot, false, 2)).isNull();
    assertThat(refusal("line-7", boot, false, 1)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-7", boot, false, 0)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-7", boot - 1, false, 2)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-7", 0, false, 2)).isEqualTo(RejectReason.REVOKED);
    assertThat(refusal("line-8", 0, false, 0)).isNull();
  }

  /** Its key, and with single readings its boot, were looked at when it came first. */
  @Test
  void redriven_isHeldAgainstWhatIsLeftOfIt() {
    long boot = 1_700_000_000_000L << 20;
    assertThat(refusal("line-7", 0, true, 0)).isNull();
    assertThat(refusal("line-7", boot, true, 0)).isNull();
    assertThat(refusal("line-7", boot - 1, true, 0)).isEqualTo(RejectReason.REVOKED);
  }

  @Test
  void emptyList_permitsNothing() {
    Permissions none = PermissionFile.parse("g.yaml", "gateways: []", false);
    assertThat(none.permit("line-7").refusal(1, false, 0)).isEqualTo(RejectReason.NOT_ITS_SENSOR);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sensors: [a], sensor: [b] | sensor: unknown field; expected: gateway, sensors",
        "sensors: a | sensors=a: expected: a list",
        "sensors: [[a]] | sensors: expected: a list of texts, each in quotes",
        "sensors: [{gateway}] | sensors: expected: a list of texts, each in quotes",
        "sensors: [''] | sensors: '': the pattern is empty",
        "sensors: ['{line}/*'] | sensors: '{line}/*': unknown word in braces; expected: {gateway}",
        "revoked: false | sensors: the field is missing; expected: a list of patterns",
        "revoked: yes | revoked=yes: expected: true or false",
        "sensors: [a], lowest-boot: -1 | lowest-boot=-1: expected: a boot id, or a time",
        "sensors: [a], lowest-boot: 9999999999999999999 | expected: a boot id, or a time",
        "sensors: [a], lowest-boot: 1969-01-01T00:00:00Z | expected: a boot id, or a time",
        "sensors: [a], lowest-boot: +292278994-08-17T07:12:55Z | expected: a boot id, or a time",
        "sensors: [a], lowest-boot: 1795600000000 | lowest-boot=1795600000000: a time in",
        "sensors: [a], lowest-boot: 1795600000 | lowest-boot=1795600000: a time in",
        "sensors: [a], lowest-generation: 0 | lowest-generation=0: expected: a number from 1",
        "sensors: [a], lowest-generation: 2 | lowest-generation=2: allowed only with weir.signing",
        "gateway: h, sensors: [a] | gateway=h: the field is set twice",
      })
  void wrongEntry_isNamedInOneLine(String fields, String expected) {
    assertThatThrownBy(
            () ->
                PermissionFile.parse(
                    "g.yaml", "gateways:\n  - {gateway: n, " + fields + "}\n", false))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith("g.yaml, line 2, column ")
        .hasMessageContaining(": gateway ")
        .hasMessageContaining(expected)
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | the file is empty; expected: gateways: [...]",
        "'gateways: [' | not valid YAML",
        "'gateways: 3' | gateways=3: expected: a list",
        "'gateway: []' | gateway: unknown field; expected: gateways",
        "'gateways: [{sensors: [a]}]' | gateway: the field is missing; expected: a gateway id",
        "'gateways: [{gateway: \"{gateway}\", sensors: [a]}]' | expected: an id, or a pattern",
        "'gateways: [{gateway: a, sensors: []}, {gateway: a, sensors: []}]' | gateway=a: the gateway has two",
      })
  void wrongFile_isReportedInOneLine(String yaml, String expected) {
    assertThatThrownBy(() -> PermissionFile.parse("g.yaml", yaml, false))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith("g.yaml")
        .hasMessageContaining(expected)
        .hasMessageNotContaining("\n");
  }

  private boolean allows(String gateway, String sensor) {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    return permissions.permit(gateway).sensors().allows(id, 0, id.length);
  }

  private RejectReason refusal(String gateway, long boot, boolean redriven, int generation) {
    return permissions.permit(gateway).refusal(boot, redriven, generation);
  }
}
