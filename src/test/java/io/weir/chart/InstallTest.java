package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What somebody who installs it, and installs it again, relies on. */
class InstallTest {
  private static final Object[] POD = {"spec", "template", "spec"};

  private static List<Manifest> chart(String values) {
    return Manifest.all(HelmChart.renderWith(values));
  }

  private static Object pod(String values) {
    return Manifest.only(chart(values), "StatefulSet").at(POD);
  }

  /**
   * A Job has a fixed name or a new one: apply refuses a changed one, and no prune finds old ones.
   */
  @Test
  void topics_areCreatedBeforeTheAggregatorStarts_withItsEnvironment() {
    String values =
        """
        jvm: {options: [-Djava.security.krb5.conf=/krb/krb5.conf]}
        secrets: [{name: weir-kafka, kafka: {sasl.jaas.config: jaas}}]
        extraEnv: [{name: TZ, value: UTC}]
        extraVolumes: [{name: krb, configMap: {name: krb}}]
        extraVolumeMounts: [{name: krb, mountPath: /krb}]
        """;
    Object pod = pod(values);
    Object init = YamlTree.at(pod, "initContainers", 0);
    Object main = YamlTree.at(pod, "containers", 0);

    assertThat(chart(values)).noneMatch(manifest -> manifest.kind().equals("Job"));
    assertThat(YamlTree.at(init, "args")).isEqualTo(List.of("topics"));
    assertThat(YamlTree.list(YamlTree.at(main, "env")))
        .containsAll(YamlTree.list(YamlTree.at(init, "env")));
    assertThat(YamlTree.at(init, "env").toString())
        .contains("krb5.conf", "KAFKA_SASL_JAAS_CONFIG_FILE", "TZ");
    assertThat(YamlTree.list(YamlTree.at(main, "volumeMounts")))
        .containsAll(YamlTree.list(YamlTree.at(init, "volumeMounts")));
    assertThat(YamlTree.at(init, "volumeMounts").toString()).contains("/krb", "weir-kafka");
  }

  @Test
  void topics_areCreatedByNobodyElse_whereTheUserMayNot() {
    for (String values :
        List.of(
            "topics: {create: false}",
            "{strimzi: {enabled: true}, kafka: {security.protocol: SSL}}")) {
      assertThat(YamlTree.at(pod(values), "initContainers")).as(values).isNull();
    }
  }

  /** Unsent readings are on the gateway's volume alone. */
  @Test
  void gatewayWithASpool_keepsItsVolumeAndItsName() {
    Manifest set =
        chart("edge: {enabled: true, feeder: {image: x}, spool: {enabled: true, size: 7Gi}}")
            .stream()
            .filter(manifest -> manifest.toString().contains("weir-edge"))
            .filter(manifest -> manifest.kind().equals("StatefulSet"))
            .findFirst()
            .orElseThrow();
    Object edge = YamlTree.at(set.at(POD), "containers", 0);

    assertThat(set.at("spec", "serviceName")).isEqualTo("weir-edge");
    assertThat(set.at("spec", "strategy")).isNull();
    assertThat(set.at("spec", "persistentVolumeClaimRetentionPolicy"))
        .isEqualTo(Map.of("whenDeleted", "Retain", "whenScaled", "Retain"));
    assertThat(
            set.at("spec", "volumeClaimTemplates", 0, "spec", "resources", "requests", "storage"))
        .isEqualTo("7Gi");
    assertThat(YamlTree.list(YamlTree.at(edge, "env")))
        .contains(
            Map.of("name", "WEIR_SPOOL_DIR", "value", "/var/lib/weir/spool"),
            Map.of("name", "WEIR_GATEWAY_ID", "value", "weir-edge"));
    assertThat(YamlTree.list(YamlTree.at(edge, "volumeMounts")))
        .contains(Map.of("name", "spool", "mountPath", "/var/lib/weir"));
  }

  /** Senders reach it by a Service while it accepts; nobody else's ports are open. */
  @Test
  void gatewayWithInputs_isReachedByItsSenders() {
    List<Manifest> chart = Manifest.all(HelmChart.render(HelmChart.ciFile("inputs")));
    Manifest set = named(chart, "StatefulSet", "weir-edge");
    Manifest service = named(chart, "Service", "weir-inputs");
    Manifest policy = named(chart, "NetworkPolicy", "weir-edge");
    Object senders = policy.at("spec", "ingress", 2);

    assertThat(set.at("spec", "template", "spec", "containers", 0, "args"))
        .isEqualTo(List.of("edge"));
    assertThat(YamlTree.list(set.at("spec", "template", "spec", "containers"))).hasSize(1);
    assertThat(set.at("spec", "template", "spec", "initContainers")).isNull();
    assertThat(YamlTree.map(service.at("spec"))).containsEntry("type", "LoadBalancer");
    assertThat(service.at("spec", "publishNotReadyAddresses")).isNull();
    for (int i = 0; i < 2; i++) {
      int port = List.of(8086, 4318).get(i);
      String name = "input-" + port;
      assertThat(service.at("spec", "ports", i, "port")).isEqualTo(port);
      assertThat(service.at("spec", "ports", i, "targetPort")).isEqualTo(name);
      assertThat(YamlTree.at(senders, "ports", i, "port")).isEqualTo(name);
      assertThat(YamlTree.list(set.at("spec", "template", "spec", "containers", 0, "ports")))
          .contains(Map.of("name", name, "containerPort", port, "protocol", "TCP"));
    }
    assertThat(YamlTree.list(YamlTree.at(senders, "from"))).hasSize(1);
    assertThat(policy.text()).contains("port: 1883", "port: 8884");
    assertThat(named(chart, "NetworkPolicy", "weir").text()).doesNotContain("1883");
  }

  @Test
  void gatewayOfABroker_hasNoPortForSenders() {
    List<Manifest> chart =
        chart(
            "{config: {weir.mqtt.url: 'mqtt://b,mqtts://c/', weir.mqtt.topics: '#'},"
                + " edge: {enabled: true, spool: {enabled: true}}}");

    assertThat(chart).noneMatch(manifest -> manifest.name().equals("weir-inputs"));
    assertThat(YamlTree.list(named(chart, "NetworkPolicy", "weir-edge").at("spec", "ingress")))
        .hasSize(2);
    assertThat(named(chart, "NetworkPolicy", "weir-edge").text())
        .contains("port: 1883", "port: 8883");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "feeder: {image: x}, spool: {enabled: true}, clients: {secret: c}, tls: {secret: t} | either",
        "clients: {secret: c}, tls: {secret: t} | edge.spool.enabled",
        "spool: {enabled: true}, tls: {secret: t} | edge.clients.secret",
        "spool: {enabled: true}, clients: {secret: c} | edge.tls.secret",
      })
  void gatewayWithInputs_thatCannotWork_isRefused(String half, String why) {
    assertThatThrownBy(
            () -> HelmChart.renderWith("edge: {enabled: true, listen: [8086], " + half + "}"))
        .hasMessageContaining(why);
    assertThatThrownBy(
            () ->
                HelmChart.renderWith(
                    "edge: {enabled: true, listen: [8081], spool: {enabled: true}, clients: {secret:"
                        + " c}, tls: {secret: t}}"))
        .hasMessageContaining("8081");
  }

  /** Readers come by the Ingress; findings of weir doctor need the metrics of the release. */
  @Test
  void page_isReachedByItsReaders_andReachesTheRelease() {
    List<Manifest> chart = Manifest.all(HelmChart.render(HelmChart.ciFile("serve")));
    Manifest deployment = named(chart, "Deployment", "weir-serve");
    Manifest policy = named(chart, "NetworkPolicy", "weir-serve");
    Manifest ingress = named(chart, "Ingress", "weir-serve");

    assertThat(deployment.at("spec", "replicas")).isEqualTo(2);
    assertThat(deployment.at("spec", "template", "spec", "containers", 0, "args"))
        .isEqualTo(List.of("serve", "--doctor-url", "http://weir:8080"));
    assertThat(named(chart, "Service", "weir-serve").at("spec", "ports", 0, "targetPort"))
        .isEqualTo("page");
    assertThat(
            ingress.at(
                "spec", "rules", 0, "http", "paths", 0, "backend", "service", "port", "name"))
        .isEqualTo("page");
    assertThat(ingress.at("spec", "tls", 0, "secretName")).isEqualTo("page-tls");
    assertThat(policy.at("spec", "ingress", 2, "ports", 0, "port")).isEqualTo("page");
    assertThat(YamlTree.list(policy.at("spec", "ingress", 2, "from"))).hasSize(1);
    assertThat(YamlTree.list(policy.at("spec", "egress")))
        .anyMatch(rule -> YamlTree.at(rule, "to") != null);
    assertThatThrownBy(() -> HelmChart.renderWith("serve: {enabled: true}"))
        .hasMessageContaining("serve.clients.secret");
  }

  private static Manifest named(List<Manifest> chart, String kind, String name) {
    return chart.stream()
        .filter(manifest -> manifest.kind().equals(kind) && manifest.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  @Test
  void gatewayWithoutASpool_isADeployment() {
    assertThat(chart("edge: {enabled: true, feeder: {image: x}}"))
        .anyMatch(m -> m.kind().equals("Deployment") && m.name().equals("weir-edge"));
  }

  /** One selector restarts them all after a rotation of certificates or passwords. */
  @Test
  void everyWorkload_hasTheReleasesLabel() {
    List<Manifest> workloads =
        chart(
                """
                config: {weir.events: true, weir.sink.jdbc.url: "jdbc:postgresql://db/weir",
                  weir.collect.jdbc.url: "jdbc:postgresql://db/plant"}
                annotations: {example.com/team: plant}
                events: {enabled: true}
                edge: {enabled: true, feeder: {image: x}}
                serve: {enabled: true, clients: {secret: x}}
                sink: {enabled: true}
                collector: {enabled: true, gatewayId: db}
                toolbox: {enabled: true}
                """)
            .stream()
            .filter(manifest -> manifest.at("spec", "template") != null)
            .toList();

    assertThat(workloads).hasSize(7);
    for (Manifest workload : workloads) {
      assertThat(workload.kind()).isIn("Deployment", "StatefulSet");
      assertThat(YamlTree.map(workload.at("metadata", "labels")))
          .containsEntry("app.kubernetes.io/instance", "weir");
      assertThat(YamlTree.map(workload.at("metadata", "annotations")))
          .containsEntry("example.com/team", "plant");
    }
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

  /** weir doctor --url runs in a pod of the release, whoever else may look at metrics. */
  @Test
  void podsOfTheRelease_reachEachOthersMetrics() {
    Map<String, Object> pods =
        Map.of(
            "podSelector",
            Map.of(
                "matchLabels",
                Map.of("app.kubernetes.io/name", "weir", "app.kubernetes.io/instance", "weir")));
    String values =
        """
        config: {weir.sink.jdbc.url: "jdbc:postgresql://db/weir"}
        sink: {enabled: true}
        edge: {enabled: true, feeder: {image: x}}
        toolbox: {enabled: true}
        networkPolicy: {metricsFrom: [{podSelector: {matchLabels: {app: prometheus}}}]}
        """;
    for (Manifest policy : chart(values)) {
      if (!policy.kind().equals("NetworkPolicy")) {
        continue;
      }
      String component = policy.name();
      if (component.equals("weir-toolbox")) {
        assertThat(policy.at("spec", "ingress")).isNull();
      } else {
        assertThat(YamlTree.list(policy.at("spec", "ingress", 0, "from")))
            .as(component)
            .contains(pods)
            .hasSize(2);
      }
      if (component.equals("weir") || component.equals("weir-toolbox")) {
        assertThat(YamlTree.list(policy.at("spec", "egress")))
            .as(component)
            .contains(
                Map.of(
                    "to",
                    List.of(pods),
                    "ports",
                    List.of(Map.of("port", 8080, "protocol", "TCP"))));
      }
    }
  }

  /** The operator's credential is in no other pod, and no other credential in the operator's. */
  @Test
  void toolbox_hasTheOperatorsSecretsAlone() {
    List<Manifest> chart = Manifest.all(HelmChart.render(HelmChart.ciFile("toolbox")));
    for (Manifest manifest : chart) {
      if (manifest.at(POD) != null) {
        boolean isToolbox = manifest.name().equals("weir-toolbox");
        assertThat(manifest.text().contains("secretName: weir-operator")).isEqualTo(isToolbox);
        assertThat(manifest.text().contains("secretName: weir\n")).isNotEqualTo(isToolbox);
      }
    }
  }

  /** OpenShift's name servers answer their pods on 5353. */
  @Test
  void names_areAskedForOnBothPorts() {
    assertThat(
            YamlTree.list(
                Manifest.only(chart("{}"), "NetworkPolicy").at("spec", "egress", 0, "ports")))
        .contains(Map.of("port", 53, "protocol", "UDP"), Map.of("port", 5353, "protocol", "UDP"));
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
