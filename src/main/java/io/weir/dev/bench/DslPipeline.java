package io.weir.dev.bench;

import io.weir.dev.GroupLag;
import io.weir.dev.TemporaryDirectory;
import io.weir.topic.Topic;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/**
 * A DSL pipeline on Kafka Streams' defaults, under exactly_once_v2 with Weir's number of threads. A
 * reading, or an event, is done when it has come back from the repartition topic: into its window,
 * or dropped where the task's one stream time has run ahead of it.
 */
final class DslPipeline implements Work {
  private final Task task;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final Admin admin;
  private final GroupLag lag;
  private final LongAdder read = new LongAdder();
  private final KafkaStreams streams;

  /** Builds a pipeline; the given consumer receives each reading that is done. */
  interface Drawing {
    Topology draw(Runnable onRead);
  }

  private DslPipeline(Task task, TopicNames names, Drawing drawing) {
    this.task = task;
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()));
    this.lag = new GroupLag(admin, task.run(), task.topic());
    new TopicAdmin(admin, names).createMissing();
    this.streams = new KafkaStreams(drawing.draw(read::increment), settings());
  }

  /** Of windows. */
  static DslPipeline ofWindows(Task task) {
    TopicNames names = RunTopics.of(task.run(), task.topic());
    return new DslPipeline(
        task, names, onRead -> DslTopology.draw(task.topic(), names.windows(), onRead));
  }

  /** Of folds. */
  static DslPipeline ofFolds(Task task) {
    TopicNames names = EventTopics.of(task.run());
    return new DslPipeline(
        task, names, onRead -> FoldDslTopology.draw(task.topic(), names.of(Topic.FOLDED), onRead));
  }

  private Properties settings() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, task.run());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, task.threads());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, "1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, directory.path().toString());
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return settings;
  }

  @Override
  public void start() {
    streams.start();
  }

  @Override
  public long processed() {
    if (streams.state() == KafkaStreams.State.ERROR) {
      throw new IllegalStateException("the pipeline failed");
    }
    return read.sum();
  }

  private double dropped() {
    return streams.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("dropped-records-total"))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  @Override
  public boolean settled() {
    return lag.records() == 0;
  }

  @Override
  public Figures extras() {
    return Figures.of(
        Map.of(
            Figure.DROPPED_PERCENT,
            100.0 * dropped() / task.readings(),
            Figure.CHANGELOG_BYTES_PER_READING,
            ChangelogSent.by(streams).bytes() / task.readings()));
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      streams.close();
    }
  }
}
