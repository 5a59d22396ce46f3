package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.chart.PromQl.Selector;
import io.weir.chart.Watching.Query;
import io.weir.internal.ops.Metric;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.GroupLag;
import io.weir.topic.TopicNames;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart's containers as processes, of what is in the image and with their own arguments and
 * variables, on a real broker: the init container, an aggregator and a gateway. What differs here
 * are addresses, ports and directories.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ChartOnKafkaIT {
  private static final int READINGS = 2_000;
  private static final int INIT_RUNS = 6;

  /** Labels that Prometheus itself adds to what it scrapes in a cluster, and that of a plant. */
  private static final Set<String> OF_THE_TARGET =
      Set.of(
          "cluster",
          "namespace",
          "plant",
          "job",
          "pod",
          "instance",
          "node",
          "container",
          "endpoint");

  /**
   * Metrics of other commands, of features switched off here, those reported only after a whole
   * minute, and those of a partition that was halted.
   */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "weir_sink_",
          "weir_collect_",
          "weir_events_",
          "weir_groups_",
          "weir_handlers_",
          "weir_alarms_",
          "weir_sensors_by_state",
          "weir_hot_share",
          "weir_mqtt_",
          "weir_sparkplug_",
          "weir_edge_",
          "weir_import_",
          "weir_serve_",
          "weir_certificate_expires", // With TLS.
          "weir_partitions_halted");

  @TempDir private static Path root;

  private static ImageTar image;

  @TempDir private Path dir;

  @BeforeAll
  static void unpack() throws IOException {
    image = ImageTar.unpack(ImageTar.path(), root);
  }

  @Test
  void pods_becomeReady_areWatchedByEveryQuery_andLeaveCleanly() throws Exception {
    PodEnvironment.Pods pods =
        PodEnvironment.of(HelmChart.renderWith("edge: {enabled: true, feeder: {image: any}}"));
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      createTopics(pods, kafka);
      Path pipe = pipe();
      Map<String, String> state = Map.of("WEIR_STATE_DIR", dir.resolve("state").toString());
      try (PodProcess aggregator = start(pods, "aggregator", kafka, state);
          PodProcess edge = start(pods, "edge", kafka, Map.of("pipe", pipe.toString()))) {
        edge.awaitYes("/livez");
        aggregator.awaitYes("/livez");
        aggregator.awaitYes("/readyz");
        try (BufferedWriter feeder = Files.newBufferedWriter(pipe)) {
          feed(feeder);
          aggregator.awaitThat(
              "all is aggregated",
              () -> aggregated(Exposition.of(aggregator.metrics())) == READINGS);
          checkQueries(Exposition.of(aggregator.metrics(), edge.metrics()));

          edge.terminate();
          assertThat(edge.awaitEnd()).as(edge.said()).isZero();
        }
        assertThat(edge.said()).contains("2,000 readings acknowledged, 0 not");
        aggregator.terminate();
        assertThat(aggregator.awaitEnd()).as(aggregator.said()).isZero();
      }
      assertThat(new GroupLag(admin, "weir", TopicNames.DEFAULT.readings()).records())
          .isLessThanOrEqualTo(64);
    }
  }

  /**
   * As a kubelet does it: again, where it does not succeed; so a slow machine gets its topics too.
   */
  private void createTopics(PodEnvironment.Pods pods, EmbeddedKafka kafka) throws Exception {
    int status = 1;
    String said = "";
    for (int run = 0; status != 0 && run < INIT_RUNS; run++) {
      try (PodProcess topics = start(pods, "aggregator/topics", kafka, Map.of())) {
        status = topics.awaitEnd();
        said = topics.said();
      }
    }
    assertThat(status).as(said).isZero();
  }

  private PodProcess start(
      PodEnvironment.Pods pods, String component, EmbeddedKafka kafka, Map<String, String> more)
      throws IOException {
    PodEnvironment.Container container = pods.container(component);
    Map<String, String> changed = new HashMap<>(more);
    String pipe = changed.remove("pipe");
    changed.put("WEIR_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
    changed.put("WEIR_HTTP_PORT", "0");
    changed.put("WEIR_HTTP_HOST", "127.0.0.1");
    if (pipe != null) {
      changed.put("WEIR_EDGE_HTTP_PORT", "0");
    }
    List<String> args =
        container.args().stream().map(arg -> arg.equals("/readings/pipe") ? pipe : arg).toList();
    return PodProcess.start(
        image.command(root),
        container,
        args,
        changed,
        dir.resolve(component.replace('/', '-') + ".log"));
  }

  private Path pipe() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(Tool.assumed("mkfifo").run(List.of(pipe.toString())).status()).isZero();
    return pipe;
  }

  private static void feed(BufferedWriter feeder) throws IOException {
    long nowMs = System.currentTimeMillis();
    for (int i = 0; i < READINGS; i++) {
      feeder.write(
          "{\"sensor_id\": \"s-"
              + i % 100
              + "\", \"timestamp_ms\": "
              + nowMs
              + ", \"value\": 1}\n");
    }
    feeder.flush();
  }

  private static double aggregated(Exposition exposition) {
    return exposition.sum("weir_readings_total", "outcome", "aggregated");
  }

  /** Every metric, label and value that alerts and dashboard ask for is exported. */
  private static void checkQueries(Exposition exposition) {
    assertThat(Watching.queries()).hasSizeGreaterThan(40);
    for (Query query : Watching.queries()) {
      PromQl names = PromQl.of(query.text());
      Set<String> there = new HashSet<>(OF_THE_TARGET);
      assertThat(names.selectors()).as(query.toString()).isNotEmpty();
      for (Selector selector : names.selectors()) {
        checkSelector(query, selector, exposition);
        there.addAll(labels(selector, exposition));
      }
      assertThat(there)
          .as(query.toString())
          .containsAll(names.grouping())
          .containsAll(query.shown());
    }
  }

  /** What is not exported here, or not yet, has the labels that the catalogue gives it. */
  private static Set<String> labels(Selector selector, Exposition exposition) {
    if (!isElsewhere(selector)) {
      return exposition.labels(selector.metric());
    }
    Metric metric =
        Metric.all().stream()
            .filter(known -> selector.metric().startsWith(known.meterName().replace('.', '_')))
            .max(Comparator.comparingInt(known -> known.meterName().length()))
            .orElseThrow(() -> new AssertionError("unknown metric " + selector.metric()));
    Set<String> labels = new HashSet<>(metric.labels());
    if (selector.metric().endsWith("_bucket")) {
      labels.add("le");
    }
    return labels;
  }

  private static boolean isElsewhere(Selector selector) {
    return ELSEWHERE.stream().anyMatch(selector.metric()::startsWith);
  }

  private static void checkSelector(Query query, Selector selector, Exposition exposition) {
    if (isElsewhere(selector)) {
      Set<String> labels = new HashSet<>(OF_THE_TARGET);
      labels.addAll(labels(selector, exposition));
      assertThat(labels).as("%s: %s", query, selector).containsAll(selector.labels());
      return;
    }
    Map<String, String> equal = new HashMap<>(selector.equal());
    equal.keySet().removeAll(OF_THE_TARGET);
    assertThat(exposition.samples(selector.metric()))
        .as("%s: %s", query, selector)
        .anyMatch(labels -> labels.entrySet().containsAll(equal.entrySet()));
    Set<String> labels = new HashSet<>(OF_THE_TARGET);
    labels.addAll(exposition.labels(selector.metric()));
    assertThat(labels).as("%s: %s", query, selector).containsAll(selector.labels());
  }
}
