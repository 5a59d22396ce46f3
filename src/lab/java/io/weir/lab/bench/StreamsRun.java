package io.weir.lab.bench;

import io.weir.lab.GroupLag;
import io.weir.lab.TemporaryDirectory;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/**
 * A pipeline of Kafka Streams at its task: exactly_once_v2, Weir's number of threads, and a state
 * directory that goes with it. One thread watches it.
 */
final class StreamsRun implements AutoCloseable {
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final Task task;
  private final Admin admin;
  private final GroupLag lag;
  private final KafkaStreams streams;

  /**
   * Makes the topics that are missing.
   *
   * @param more settings beside those of every pipeline, and over them
   */
  StreamsRun(Task task, TopicNames names, Topology topology, Map<String, ?> more) {
    this.task = task;
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()));
    this.lag = new GroupLag(admin, task.run(), task.topic());
    new TopicAdmin(admin, names).createMissing();
    Properties settings = settings();
    settings.putAll(more);
    this.streams = new KafkaStreams(topology, settings);
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

  void start() {
    streams.start();
  }

  /**
   * Looks whether it goes on.
   *
   * @throws IllegalStateException if it cannot
   */
  void requireHealthy() {
    if (streams.state() == KafkaStreams.State.ERROR) {
      throw new IllegalStateException("the pipeline failed");
    }
  }

  /** Whether everything on its topic is committed. */
  boolean settled() {
    return lag.records() == 0;
  }

  /** Records that it dropped as too late. */
  double dropped() {
    return streams.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("dropped-records-total"))
        .mapToDouble(metric -> (double) metric.metricValue())
        .sum();
  }

  double changelogBytesPerReading() {
    return ChangelogSent.by(streams).bytes() / task.readings();
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      streams.close();
    }
  }
}
