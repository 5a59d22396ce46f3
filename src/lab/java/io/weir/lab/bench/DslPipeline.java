package io.weir.lab.bench;

import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.Topology;

/**
 * A DSL pipeline on Kafka Streams' defaults, under exactly_once_v2 with Weir's number of threads. A
 * reading, or an event, is done when it has come back from the repartition topic: into its window,
 * or dropped where the task's one stream time has run ahead of it.
 */
final class DslPipeline implements Work {
  private final Task task;
  private final LongAdder read = new LongAdder();
  private final StreamsRun run;

  /** Builds a pipeline; the given consumer receives each reading that is done. */
  interface TopologyBuilder {
    Topology build(Runnable onRead);
  }

  private DslPipeline(Task task, TopicNames names, TopologyBuilder builder) {
    this.task = task;
    this.run = new StreamsRun(task, names, builder.build(read::increment), Map.of());
  }

  /** Of windows. */
  static DslPipeline ofWindows(Task task) {
    TopicNames names = RunTopics.of(task.run(), task.topic());
    return new DslPipeline(
        task, names, onRead -> DslTopology.build(task.topic(), names.windows(), onRead));
  }

  /** Of folds. */
  static DslPipeline ofFolds(Task task) {
    TopicNames names = EventTopics.of(task.run());
    return new DslPipeline(
        task, names, onRead -> FoldDslTopology.build(task.topic(), names.of(Topic.FOLDED), onRead));
  }

  @Override
  public void start() {
    run.start();
  }

  @Override
  public long processed() {
    run.requireHealthy();
    return read.sum();
  }

  @Override
  public boolean settled() {
    return run.settled();
  }

  @Override
  public Figures extras() {
    return Figures.of(
        Map.of(
            Figure.DROPPED_PERCENT,
            100.0 * run.dropped() / task.readings(),
            Figure.CHANGELOG_BYTES_PER_READING,
            run.changelogBytesPerReading()));
  }

  @Override
  public void close() {
    run.close();
  }
}
