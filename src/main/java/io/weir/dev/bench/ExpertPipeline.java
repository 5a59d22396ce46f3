package io.weir.dev.bench;

import io.weir.dev.GroupLag;
import io.weir.dev.TemporaryDirectory;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;

/**
 * {@link ExpertTopology} under exactly_once_v2, with Weir's number of threads and time between
 * commits, and settings that an expert would choose. At its end its windows are held against those
 * of a plain pass over the readings.
 */
final class ExpertPipeline implements Work {
  private static final int COMMIT_MS = 500;
  private static final long CACHE_BYTES = 512L << 20;
  private static final int BATCH_BYTES = 128 << 10;

  private final Task task;
  private final TemporaryDirectory directory = TemporaryDirectory.create("weir-bench-");
  private final TopicNames names;
  private final Admin admin;
  private final GroupLag lag;
  private final LongAdder counted = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final KafkaStreams streams;

  ExpertPipeline(Task task) {
    this.task = task;
    this.names = RunTopics.of(task.run(), task.topic());
    this.admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers()));
    this.lag = new GroupLag(admin, task.run(), task.topic());
    new TopicAdmin(admin, names).createMissing();
    this.streams =
        new KafkaStreams(
            ExpertTopology.draw(
                task.topic(),
                names.windows(),
                task.outOfOrderness().toMillis(),
                counted::add,
                late::add),
            settings());
  }

  private Properties settings() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, task.run());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, task.bootstrapServers());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, task.threads());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, "1");
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MS);
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, ExpertRocks.class);
    // A task has one partition: there is none to wait for.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    Path state = directory.path();
    if (task.kept().isPresent()) {
      // It comes back, to the same directory.
      state = task.kept().get().resolve("state");
      settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, task.run());
    }
    settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
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
    return counted.sum() + late.sum();
  }

  @Override
  public boolean settled() {
    return lag.records() == 0;
  }

  @Override
  public Figures extras() {
    return PassedWindows.figures(task, names.windows(), late.sum())
        .with(
            Figure.CHANGELOG_BYTES_PER_READING,
            ChangelogSent.by(streams).bytes() / task.readings());
  }

  @Override
  public void close() {
    try (directory;
        admin) {
      streams.close();
    }
  }
}
