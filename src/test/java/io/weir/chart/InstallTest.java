package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What somebody who installs it, and installs it again, relies on. */
class InstallTest {
  private static final Object[] POD = {"spec", "template", "spec"};

  private static List<Manifest> chart(String values) {
    return Manifest.all(HelmChart.renderWith(values));
  }

  private static Object pod(String values) {
    return Manifest.only(chart(values), "StatefulSet").at(POD);
  }

  /** A Job cannot be changed: another number makes another one, and nothing else does. */
  @Test
  void topicsJob_runsAgainWithAnotherNumber() {
    String first = Manifest.only(chart("{}"), "Job").name();

    assertThat(Manifest.only(chart("replicas: 3"), "Job").name()).isEqualTo(first);
    assertThat(Manifest.only(chart("topics: {run: 2}"), "Job").name()).isNotEqualTo(first);
    assertThat(Manifest.only(chart("config: {weir.window.size: 1m}"), "Job").name())
        .isNotEqualTo(first);
  }

  @Test
  void imageByDigest_isTheOneThatRuns_inEveryPod() {
    String digest = "sha256:" + "0123456789abcdef".repeat(4);
    for (Manifest manifest : chart("image: {tag: '7', digest: '" + digest + "'}")) {
      Object containers = YamlTree.at(manifest.at(POD), "containers");
      if (containers != null) {
        assertThat(YamlTree.at(containers, 0, "image")).isEqualTo("weir@" + digest);
      }
    }
  }

  /** OpenShift gives each namespace users of its own. */
  @Test
  void userLeftToTheCluster_isNamedNowhere() {
    Object security = YamlTree.at(pod("runAsUser: null"), "securityContext");

    assertThat(YamlTree.map(security)).containsOnlyKeys("runAsNonRoot", "seccompProfile");
    assertThat(YamlTree.map(YamlTree.at(pod("{}"), "securityContext")))
        .containsEntry("runAsUser", 65532);
  }

  @Test
  void state_needsNoVolume() {
    Manifest set = Manifest.only(chart("{}"), "StatefulSet");

    assertThat(set.at("spec", "volumeClaimTemplates")).isNull();
    assertThat(YamlTree.list(YamlTree.at(set.at(POD), "volumes")))
        .contains(Map.of("name", "state", "emptyDir", Map.of("sizeLimit", "1Gi")));
  }

  /** The autoscaler's number is its own; the chart's goes where there is none. */
  @Test
  void replicas_areTheCharts_orTheAutoscalers() {
    assertThat(Manifest.only(chart("{}"), "StatefulSet").at("spec", "replicas")).isEqualTo(2);
    assertThat(
            Manifest.only(chart("autoscaling: {kind: hpa, minReplicas: 3}"), "StatefulSet")
                .at("spec", "replicas"))
        .isNull();
  }

  @Test
  void whatIsOnesOwn_isPutIn() {
    String values =
        """
        extraEnv: [{name: TZ, value: UTC}]
        extraVolumes: [{name: more, emptyDir: {}}]
        extraVolumeMounts: [{name: more, mountPath: /more}]
        extraObjects: [{apiVersion: v1, kind: Secret, metadata: {name: mine}}]
        """;
    Object pod = pod(values);

    assertThat(YamlTree.list(YamlTree.at(pod, "containers", 0, "env")))
        .contains(Map.of("name", "TZ", "value", "UTC"));
    assertThat(YamlTree.list(YamlTree.at(pod, "volumes")))
        .contains(Map.of("name", "more", "emptyDir", Map.of()));
    assertThat(YamlTree.list(YamlTree.at(pod, "containers", 0, "volumeMounts")))
        .contains(Map.of("name", "more", "mountPath", "/more"));
    assertThat(Manifest.only(chart(values), "Secret").name()).isEqualTo("mine");
  }

  /** A gateway reaches its devices by a policy of its own, and the aggregator does not. */
  @Test
  void networkPolicies_areEachComponentsOwn() {
    String mqtt = "{ports: [{port: 1883, protocol: TCP}]}";
    List<Manifest> chart =
        chart("edge: {enabled: true, feeder: {image: x}, extraEgress: [" + mqtt + "]}");
    for (Manifest manifest : chart) {
      if (manifest.kind().equals("NetworkPolicy")) {
        assertThat(manifest.text().contains("1883"))
            .as(manifest.name())
            .isEqualTo(manifest.name().equals("weir-edge"));
      }
    }
  }
}
