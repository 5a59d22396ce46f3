package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That values which cannot be right are refused before anything is installed. */
class ValuesSchemaTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "replica: 3",
        "image: {name: weir}",
        "config: {weir.window.sise: 10s}",
        "config: {window.size: 10s}",
        "edge: {feeder: {images: x}}",
        "monitoring: {alert: {enabled: true}}",
        "secrets: [{secretName: x}]",
        "autoscaling: {enabled: true}",
      })
  void unknownKey_isRefused(String values) {
    assertThatThrownBy(() -> HelmChart.renderWith(values)).hasMessageContaining("not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replicas: 0",
        "replicas: 65",
        "replicas: two",
        "autoscaling: {kind: keda, minReplicas: 0}",
        "autoscaling: {kind: keda, maxReplicas: 65}",
        "autoscaling: {kind: both}",
        "config: {weir.window.size: 10}",
        "config: {weir.window.size: 10 s}",
        "config: {weir.threads: null}",
        "config: {weir.http.port: 80}",
        "config: {weir.topic.late: 'weir late'}",
        "config: {weir.bootstrap.servers: kafka}",
        "kafka: {security_protocol: SSL}",
        "runAsUser: 0",
        "kafka: {sasl.jaas.config: x}",
        "podDisruptionBudget: {maxUnavailable: 0}",
        "image: {digest: latest}",
        "jvm: {options: [Xmx1g]}",
        "resources: {limits: null}",
        "monitoring: {scrape: true}",
        "topologySpread: {zones: Always}",
      })
  void valueThatIsNotAllowed_isRefused(String values) {
    assertThatThrownBy(() -> HelmChart.renderWith(values))
        .hasMessageContaining("don't meet the specifications of the schema");
  }

  /** Each of the two alone is taken; together they cannot work, and the message says why. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "resources: {requests: {cpu: null}} | autoscaling: {kind: hpa} | cpu",
        "resources: {requests: {cpu: null}} | autoscaling: {kind: keda} | cpu",
        "kafka: {security.protocol: SASL_PLAINTEXT} | autoscaling: {kind: keda}"
            + " | /autoscaling/keda/authenticationRef",
        "kafka: {security.protocol: SSL} | autoscaling: {kind: keda} | tls",
        "kafka: {num.standby.replicas: 1} | replicas: 1 | num.standby.replicas",
        "config: {weir.threads: 5} | replicas: 14 | expected: up to 13",
        "config: {weir.threads: 3} | autoscaling: {kind: hpa} | expected: up to 22",
        "autoscaling: {minReplicas: 3} | autoscaling: {kind: hpa, maxReplicas: 2} | minReplicas",
        "kafka: {sasl.mechanism: x} | secrets: [{name: a, kafka: {sasl.mechanism: k}}]"
            + " | a Secret holds it as well",
        "config: {weir.fold: true} | events: {enabled: true} | config.weir.events is to be true",
        "{config: {weir.events: true, weir.threads: 33}} | events: {enabled: true, replicas: 3}"
            + " | expected: up to 2",
        "config: {weir.fold: true} | rules: 'rules: []' | its alarms would not be written",
        "config: {weir.events: true} | rules: 'rules: [' | not valid YAML",
        "config: {weir.status: true, weir.rules.file: /r} | rules: 'rules: []' | only one is allowed",
        "config: {weir.gateways.file: /g} | gateways: 'gateways: []' | only one is allowed",
        "replicas: 1 | gateways: 'gateways: [' | not valid YAML",
        "strimzi: {replicas: 3} | strimzi: {minInsyncReplicas: 4} | minInsyncReplicas",
      })
  void combinationThatCannotWork_isRefused(String one, String other, String why, @TempDir Path dir)
      throws IOException {
    Path first = Files.writeString(dir.resolve("first.yaml"), one);
    Path second = Files.writeString(dir.resolve("second.yaml"), other);
    assertThatCode(() -> HelmChart.renderChart(HelmChart.DIR, first)).doesNotThrowAnyException();

    assertThatThrownBy(() -> HelmChart.renderChart(HelmChart.DIR, first, second))
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "edge: {enabled: true}",
        "strimzi: {enabled: true}",
        "{strimzi: {enabled: true}, kafka: {security.protocol: SASL_SSL}}",
        "secrets: [{name: a}, {name: a}]",
      })
  void halfOfWhatBelongsTogether_isRefused(String values) {
    assertThatThrownBy(() -> HelmChart.renderWith(values)).isInstanceOf(RuntimeException.class);
  }

  /** Static membership is Weir's way, and 4.3.1's streams protocol refuses it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "group.protocol: streams",
        "consumer.group.protocol: consumer",
        "processing.guarantee: at_least_once",
        "main.consumer.isolation.level: read_uncommitted",
        "group.instance.id: mine",
      })
  void kafkaSettingThatWeirFixes_isRefused(String setting) {
    String name = setting.split(":")[0];
    String secret = "secrets: [{name: x, kafka: {" + name + ": key}}]";

    assertThatThrownBy(() -> HelmChart.renderWith("kafka: {" + setting + "}"))
        .hasMessageContaining("/kafka/" + name);
    assertThatThrownBy(() -> HelmChart.renderWith(secret))
        .hasMessageContaining("/secrets/0/kafka/" + name);
  }

  @Test
  void autoscaling_requiresTheNumberOfPodsThatHoldTheState() {
    assertThatThrownBy(() -> HelmChart.renderWith("autoscaling: {kind: hpa}"))
        .hasMessageContaining("autoscaling.minReplicas: to be set");
  }

  @Test
  void combinationThatWorks_isTaken() {
    assertThatCode(
            () ->
                HelmChart.renderWith(
                    "{replicas: 16, config: {weir.threads: 4}, kafka: {num.standby.replicas: 2}}"))
        .doesNotThrowAnyException();
    assertThat(HelmChart.renderWith("config: {weir.queue.capacity: 1000000}"))
        .contains("WEIR_QUEUE_CAPACITY: \"1000000\"");
  }
}
