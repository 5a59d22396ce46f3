package io.weir.app;

import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks now and then whether the topics still have their partitions: with another number sensors
 * would be looked for elsewhere, and their windows split. And whether the changelog is still the
 * one that it was: Kafka Streams would make a missing one anew, and go on with a state that is
 * empty. One thread of its own, asleep for the most part; a cluster that does not answer is asked
 * again later.
 */
final class PartitionWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionWatch.class);
  private static final long INTERVAL_SECONDS = 10;

  private final WeirConfig config;
  private final Consumer<String> onFinding;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-partition-watch");
            thread.setDaemon(true);
            return thread;
          });
  private Admin admin;
  private Uuid changelogId;

  /**
   * @param onFinding is told what was found and what to do
   */
  PartitionWatch(WeirConfig config, Consumer<String> onFinding) {
    this.config = config;
    this.onFinding = onFinding;
  }

  /** Looks once before it returns: what is there then has to stay. */
  void start() {
    admin = Admin.create(config.kafka().forAdmin());
    look();
    executor.scheduleWithFixedDelay(
        this::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      List<String> topics = config.topics().all();
      Map<String, TopicDescription> found =
          StartChecks.await(admin.describeTopics(topics).allTopicNames());
      found.forEach((name, topic) -> check(name, topic.partitions().size()));
      checkChangelog();
    } catch (KafkaException e) {
      LOG.debug("the partition count could not be looked at", e);
    }
  }

  private void check(String topic, int partitions) {
    if (partitions != SensorPartition.COUNT) {
      onFinding.accept(
          "topic "
              + topic
              + " now has "
              + partitions
              + " partitions, expected "
              + SensorPartition.COUNT
              + ": sensors would be split; make the topic anew with that many, or name another"
              + " one");
    }
  }

  /** Before the first commit there may be none; once it was seen, it has to stay. */
  private void checkChangelog() {
    String changelog = StartChecks.changelog(config);
    Uuid now = null;
    try {
      now =
          StartChecks.await(admin.describeTopics(List.of(changelog)).allTopicNames())
              .get(changelog)
              .topicId();
    } catch (UnknownTopicOrPartitionException e) {
      // Missing, then.
    }
    if (changelogId != null && !changelogId.equals(now)) {
      onFinding.accept(
          "state was lost: the changelog "
              + changelog
              + " was "
              + (now == null ? "deleted" : "made anew")
              + " while running; bring it back, or start with a new weir.application.id, which"
              + " reads from the beginning");
    } else if (now != null) {
      changelogId = now;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
