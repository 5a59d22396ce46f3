package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An autoscaler with the chart's settings settles: a model of Kubernetes' autoscaler (desired
 * replicas of each metric, tolerance, stabilization windows, policies) over a model of a fleet with
 * a steady load, in which each change of pods lets partitions stall, a pod that is scaled away for
 * its whole session. Two days of each load.
 */
class ScaleInTest {
  private static final int STEP_S = 15;
  private static final int DAYS_S = 2 * 86_400;
  private static final double TOLERANCE = 0.1;

  /** Records a second that a processor does, and what a pod gets. */
  private static final double RECORDS_A_PROCESSOR = 1_000;

  private static final double PROCESSORS_A_POD = 1;

  /** A move with its restore, beside the session. */
  private static final double MOVE_S = 30;

  private static final double SESSION_S = 120;

  /** What the chart rendered. */
  private record Scaler(
      int least,
      int most,
      double lagThreshold,
      double processorTarget,
      int upWindowS,
      int downWindowS,
      int downPods,
      int downPeriodS) {
    static Scaler of(String values) {
      List<Manifest> chart = Manifest.all(HelmChart.renderWith(values));
      boolean keda = chart.stream().anyMatch(m -> m.kind().equals("ScaledObject"));
      Manifest scaler = Manifest.only(chart, keda ? "ScaledObject" : "HorizontalPodAutoscaler");
      Object behavior =
          keda
              ? scaler.at("spec", "advanced", "horizontalPodAutoscalerConfig", "behavior")
              : scaler.at("spec", "behavior");
      double lag = Double.POSITIVE_INFINITY;
      double processor = Double.POSITIVE_INFINITY;
      for (Object of : YamlTree.list(scaler.at("spec", keda ? "triggers" : "metrics"))) {
        if ("kafka".equals(YamlTree.at(of, "type"))) {
          lag = Double.parseDouble((String) YamlTree.at(of, "metadata", "lagThreshold"));
        } else if ("cpu".equals(YamlTree.at(of, "type"))) {
          processor = Double.parseDouble((String) YamlTree.at(of, "metadata", "value")) / 100;
        } else if ("cpu".equals(YamlTree.at(of, "resource", "name"))) {
          processor = number(of, "resource", "target", "averageUtilization") / 100.0;
        }
      }
      return new Scaler(
          number(scaler.tree(), "spec", keda ? "minReplicaCount" : "minReplicas"),
          number(scaler.tree(), "spec", keda ? "maxReplicaCount" : "maxReplicas"),
          lag,
          processor,
          number(behavior, "scaleUp", "stabilizationWindowSeconds"),
          number(behavior, "scaleDown", "stabilizationWindowSeconds"),
          number(behavior, "scaleDown", "policies", 0, "value"),
          number(behavior, "scaleDown", "policies", 0, "periodSeconds"));
    }

    private static int number(Object tree, Object... path) {
      return ((Number) YamlTree.at(tree, path)).intValue();
    }

    /** The most that any metric asks for. */
    int desired(int pods, double lag, double usedProcessors) {
      double byLag = lag / lagThreshold / pods;
      double byProcessor = usedProcessors / pods / processorTarget;
      int desired = Math.max(ask(pods, byLag), ask(pods, byProcessor));
      return Math.max(least, Math.min(most, desired));
    }

    private static int ask(int pods, double ratio) {
      return Math.abs(ratio - 1) <= TOLERANCE ? pods : (int) Math.ceil(pods * ratio);
    }
  }

  /** Plays the days; the moments in seconds at which the number of pods changed. */
  private static List<Integer> changes(Scaler scaler, double perSecond, int firstPods) {
    int pods = firstPods;
    double lag = 0;
    double standingShare = 0;
    double standingUntilS = 0;
    int lastDownS = -scaler.downPeriodS();
    List<int[]> asked = new ArrayList<>();
    List<Integer> changes = new ArrayList<>();
    double standingLag = 0;
    for (int nowS = 0; nowS < DAYS_S; nowS += STEP_S) {
      if (nowS >= standingUntilS) {
        lag += standingLag;
        standingLag = 0;
        standingShare = 0;
      }
      standingLag += perSecond * standingShare * STEP_S;
      double come = perSecond * (1 - standingShare) * STEP_S + lag;
      double done = Math.min(come, pods * PROCESSORS_A_POD * RECORDS_A_PROCESSOR * STEP_S);
      lag = come - done;
      double used = done / STEP_S / RECORDS_A_PROCESSOR;

      int desired = scaler.desired(pods, lag + standingLag, used);
      asked.add(new int[] {nowS, desired});
      int up = desired;
      int down = desired;
      for (int[] past : asked) {
        up = past[0] > nowS - scaler.upWindowS() ? Math.min(up, past[1]) : up;
        down = past[0] > nowS - scaler.downWindowS() ? Math.max(down, past[1]) : down;
      }
      int limitS = nowS - Math.max(scaler.upWindowS(), scaler.downWindowS());
      asked.removeIf(past -> past[0] < limitS);
      if (up > pods) {
        int next = Math.min(up, 2 * pods);
        standingShare = (next - pods) / (double) next;
        standingUntilS = nowS + MOVE_S;
        pods = next;
        changes.add(nowS);
      } else if (down < pods && nowS - lastDownS >= scaler.downPeriodS()) {
        int next = Math.max(down, pods - scaler.downPods());
        // Nobody evicts what an autoscaler takes away.
        standingShare = (pods - next) / (double) pods;
        standingUntilS = nowS + SESSION_S + MOVE_S;
        pods = next;
        lastDownS = nowS;
        changes.add(nowS);
      }
    }
    return changes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"keda", "hpa"})
  void steadyLoad_whateverItIs_comesToRest(String kind) {
    Scaler scaler = Scaler.of("autoscaling: {kind: " + kind + ", minReplicas: 2, maxReplicas: 32}");
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      double perSecond = 100 + random.nextDouble() * 19_000;
      int firstPods = 2 + random.nextInt(30);

      assertThat(changes(scaler, perSecond, firstPods).stream().filter(s -> s > DAYS_S / 2))
          .as("seed %d: %.0f records a second, %d pods at first", seed, perSecond, firstPods)
          .isEmpty();
    }
  }

  /** Where lag alone is asked, nobody sees that the pods that are left cannot do it. */
  @Test
  void lagAlone_wouldFlap() {
    Scaler lagAlone = new Scaler(2, 32, 10_000, Double.POSITIVE_INFINITY, 60, 900, 1, 300);

    assertThat(changes(lagAlone, 7_600, 8)).hasSizeGreaterThan(20);
  }

  /** A load that grows is still answered, within minutes. */
  @Test
  void moreLoad_isAnsweredWithinMinutes() {
    Scaler scaler = Scaler.of("autoscaling: {kind: keda, minReplicas: 2, maxReplicas: 32}");

    assertThat(changes(scaler, 4_000, 2).get(0)).isLessThanOrEqualTo(600);
  }
}
