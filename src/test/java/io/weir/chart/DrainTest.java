package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.Keys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node is drained, as kubectl does it, and the chart's objects are read together: what the
 * PodDisruptionBudget allows to leave, how long a pod may take to leave and to come back, and
 * whether the NetworkPolicy lets the kubelet see that it is back.
 */
class DrainTest {
  /** Of the image: JVM, Kafka's clients, the first commit. Seconds, and plenty. */
  private static final int START_S = 30;

  /** A pod that commits and leaves; the chart's comment says what a slow broker makes of it. */
  private static final int LEAVE_S = 5;

  private static final int LEAVE_SLOWLY_S = 120;

  @TempDir private Path secrets;

  /**
   * A pod by name: where it runs, and from when on it is ready again; NEVER for one that is not.
   */
  private static final class Pod {
    static final long NEVER = Long.MAX_VALUE;
    String node;
    long readyAtS;

    Pod(String node, long readyAtS) {
      this.node = node;
      this.readyAtS = readyAtS;
    }
  }

  /** The eviction API, with the budget of the chart. */
  private static final class Cluster {
    final Map<String, Pod> pods = new TreeMap<>();
    final int maxUnavailable;
    final boolean unreadyMayGo;
    final int awayS;
    long nowS;
    int fewestReady = Integer.MAX_VALUE;

    Cluster(Object budget, int awayS) {
      this.maxUnavailable = ((Number) YamlTree.at(budget, "maxUnavailable")).intValue();
      this.unreadyMayGo = "AlwaysAllow".equals(YamlTree.at(budget, "unhealthyPodEvictionPolicy"));
      this.awayS = awayS;
    }

    boolean isReady(Pod pod) {
      return pod.readyAtS <= nowS;
    }

    long ready() {
      return pods.values().stream().filter(this::isReady).count();
    }

    /** As the API server answers: 201, or 429. */
    boolean evict(Pod pod, String toNode) {
      boolean allowed =
          !isReady(pod) && unreadyMayGo || ready() - 1 >= pods.size() - maxUnavailable;
      if (allowed) {
        boolean never = pod.readyAtS == Pod.NEVER;
        pod.node = toNode;
        pod.readyAtS = never ? Pod.NEVER : nowS + awayS;
        fewestReady = Math.min(fewestReady, (int) ready());
      }
      return allowed;
    }

    /** Asks again every 5 s for each pod that is still there; how long it took, at most an hour. */
    long drain(String node, String toNode) {
      long startS = nowS;
      while (pods.values().stream().anyMatch(pod -> pod.node.equals(node))
          && nowS - startS < 3600) {
        pods.values().stream()
            .filter(pod -> pod.node.equals(node))
            .forEach(pod -> evict(pod, toNode));
        nowS += 5;
      }
      return nowS - startS;
    }
  }

  private static List<Manifest> chart(String values) {
    return Manifest.all(HelmChart.renderWith(values));
  }

  private static Cluster cluster(List<Manifest> chart, int awayS, String... nodes) {
    Cluster cluster = new Cluster(Manifest.only(chart, "PodDisruptionBudget").at("spec"), awayS);
    Number replicas = (Number) Manifest.only(chart, "StatefulSet").at("spec", "replicas");
    assertThat(replicas.intValue()).isEqualTo(nodes.length);
    for (int ordinal = 0; ordinal < nodes.length; ordinal++) {
      cluster.pods.put("weir-" + ordinal, new Pod(nodes[ordinal], 0));
    }
    return cluster;
  }

  @Test
  void drain_takesOnePodAtATime_andEnds() {
    List<Manifest> chart = chart("replicas: 4");
    Cluster cluster = cluster(chart, LEAVE_S + START_S, "a", "a", "b", "a");

    assertThat(cluster.drain("a", "b")).isLessThan(3 * (LEAVE_S + START_S + 10));
    assertThat(cluster.fewestReady).isEqualTo(3);
  }

  /** It crashes, or waits for Kafka: a node that is drained must not wait for it as well. */
  @Test
  void podThatIsNeverReady_holdsNoNode() {
    Cluster cluster = cluster(chart("replicas: 2"), LEAVE_S + START_S, "a", "b");
    cluster.pods.get("weir-0").readyAtS = Pod.NEVER;

    assertThat(cluster.drain("a", "c")).isLessThan(60);
    assertThat(cluster.pods.get("weir-1").node).isEqualTo("b");
    assertThat(cluster.fewestReady).isEqualTo(1);
  }

  /** The budget is the aggregators' alone: it counts neither gateways nor the topics' Job. */
  @Test
  void budget_countsTheAggregatorsPods() {
    List<Manifest> chart = new ArrayList<>(Manifest.all(HelmChart.render()));
    Object selector =
        Manifest.only(chart, "PodDisruptionBudget").at("spec", "selector", "matchLabels");
    chart.addAll(Manifest.all(HelmChart.render(HelmChart.ciFile("edge"))));
    assertThat(chart).extracting(Manifest::kind).contains("Deployment");
    for (Manifest manifest : chart) {
      Object labels = manifest.at("spec", "template", "metadata", "labels");
      if (labels != null) {
        boolean counted =
            YamlTree.map(labels).entrySet().containsAll(YamlTree.map(selector).entrySet());
        assertThat(counted)
            .as(manifest.toString())
            .isEqualTo(manifest.kind().equals("StatefulSet"));
      }
    }
  }

  /** A pod that is evicted is not killed while it still commits, and is back within its session. */
  @Test
  void leavingAndComingBack_fitIntoGraceAndSession() {
    Object pod = Manifest.only(chart("{}"), "StatefulSet").at("spec", "template", "spec");
    long graceS = number(pod, "terminationGracePeriodSeconds");
    assertThat(graceS).isGreaterThan(LEAVE_SLOWLY_S);

    String session =
        PodEnvironment.of(HelmChart.render())
            .container("aggregator")
            .variables()
            .get("KAFKA_CONSUMER_SESSION_TIMEOUT_MS");
    assertThat(Long.parseLong(session) / 1000).isGreaterThan(2L * (LEAVE_S + START_S));
  }

  /** What a pod may take for its start is more than it takes, and than it waits for Kafka. */
  @Test
  void probes_letAPodStart_andSeeOneThatHangs() {
    Object container =
        Manifest.only(chart("{}"), "StatefulSet").at("spec", "template", "spec", "containers", 0);
    long startupS = budget(container, "startupProbe");
    long livenessS = budget(container, "livenessProbe");

    assertThat(startupS)
        .isGreaterThan(2 * START_S)
        .isGreaterThanOrEqualTo(Keys.START_TIMEOUT.defaultValue().orElseThrow().toSeconds());
    // One that is frozen is replaced before its session ends, so that its partitions go back to it.
    long session = 120;
    long killS = number(container, "livenessProbe", "terminationGracePeriodSeconds");
    assertThat(livenessS + killS + START_S).isLessThanOrEqualTo(session);
  }

  /** The one node that is left takes the pods, also where the chart insists on spreading them. */
  @Test
  void drainedNode_doesNotCountInTheSpreading() {
    for (String how : List.of("ScheduleAnyway", "DoNotSchedule")) {
      Object constraints =
          Manifest.only(
                  chart("topologySpread: {nodes: " + how + ", zones: " + how + "}"), "StatefulSet")
              .at("spec", "template", "spec", "topologySpreadConstraints");
      for (Object constraint : YamlTree.list(constraints)) {
        assertThat(YamlTree.at(constraint, "nodeTaintsPolicy")).isEqualTo("Honor");
        assertThat(YamlTree.at(constraint, "whenUnsatisfiable")).isEqualTo(how);
      }
    }
  }

  /** Where it comes back, the kubelet of another node asks, and Kafka has to be reached. */
  @Test
  void networkPolicy_letsProbesIn_andThePodOutToKafka() {
    List<Manifest> chart =
        chart("config: {weir.bootstrap.servers: 'kafka-0:19092,kafka-1:19093', weir.threads: 2}");
    Manifest set = Manifest.only(chart, "StatefulSet");
    Manifest policy = Manifest.only(chart, "NetworkPolicy");
    Object labels = set.at("spec", "template", "metadata", "labels");
    assertThat(YamlTree.map(labels).entrySet())
        .containsAll(YamlTree.map(policy.at("spec", "podSelector", "matchLabels")).entrySet());

    Object container = set.at("spec", "template", "spec", "containers", 0);
    Set<Object> openToAll = new LinkedHashSet<>();
    for (Object rule : YamlTree.list(policy.at("spec", "ingress"))) {
      if (YamlTree.at(rule, "from") == null) {
        YamlTree.list(YamlTree.at(rule, "ports"))
            .forEach(p -> openToAll.add(YamlTree.at(p, "port")));
      }
    }
    List<Object> named =
        YamlTree.list(YamlTree.at(container, "ports")).stream()
            .map(port -> YamlTree.at(port, "name"))
            .toList();
    for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      Object port = YamlTree.at(container, probe, "httpGet", "port");
      assertThat(named).contains(port);
      assertThat(openToAll).as(probe).contains(port);
    }

    Set<Object> out = new LinkedHashSet<>();
    Set<Object> toOwnPods = new LinkedHashSet<>();
    for (Object rule : YamlTree.list(policy.at("spec", "egress"))) {
      Set<Object> ports = YamlTree.at(rule, "to") == null ? out : toOwnPods;
      YamlTree.list(YamlTree.at(rule, "ports")).forEach(p -> ports.add(YamlTree.at(p, "port")));
      if (ports == toOwnPods) {
        assertThat(YamlTree.at(rule, "to"))
            .isEqualTo(
                List.of(
                    Map.of(
                        "podSelector",
                        Map.of("matchLabels", policy.at("spec", "podSelector", "matchLabels")))));
      }
    }
    assertThat(toOwnPods.stream().map(Objects::toString)).containsExactly("8080");
    assertThat(out.stream().map(Objects::toString)).contains("53", "19092", "19093");
  }

  private static long budget(Object container, String probe) {
    return number(container, probe, "periodSeconds") * number(container, probe, "failureThreshold");
  }

  private static long number(Object tree, Object... path) {
    return ((Number) YamlTree.at(tree, path)).longValue();
  }
}
