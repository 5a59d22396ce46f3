package io.weir.lab.bench;

import io.weir.topic.TopicNames;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/**
 * {@link ExpertTopology} under exactly_once_v2, with Weir's number of threads and time between
 * commits, and settings that an expert would choose. At its end its windows are compared with those
 * of a plain pass over the readings.
 */
final class ExpertPipeline implements Work {
  private static final int COMMIT_MS = 500;
  private static final long CACHE_BYTES = 512L << 20;
  private static final int BATCH_BYTES = 128 << 10;

  private final Task task;
  private final TopicNames names;
  private final LongAdder counted = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final StreamsRun run;

  ExpertPipeline(Task task) {
    this.task = task;
    this.names = RunTopics.of(task.run(), task.topic());
    Topology topology =
        ExpertTopology.build(
            task.topic(),
            names.windows(),
            task.outOfOrderness().toMillis(),
            counted::add,
            late::add);
    this.run = new StreamsRun(task, names, topology, settings());
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MS);
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, CACHE_BYTES);
    settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, ExpertRocks.class);
    // A task has one partition: there is none to wait for.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
    if (task.kept().isPresent()) {
      // It comes back, to the same directory.
      Path state = task.kept().get().resolve("state");
      settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, task.run());
      settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
    }
    return settings;
  }

  @Override
  public void start() {
    run.start();
  }

  @Override
  public long processed() {
    run.requireHealthy();
    return counted.sum() + late.sum();
  }

  @Override
  public boolean settled() {
    return run.settled();
  }

  @Override
  public Figures extras() {
    return PassedWindows.figures(task, names.windows(), late.sum())
        .with(Figure.CHANGELOG_BYTES_PER_READING, run.changelogBytesPerReading());
  }

  @Override
  public void close() {
    run.close();
  }
}
