package io.weir.internal.app;

import io.weir.internal.time.Daemons;
import io.weir.internal.topology.Progress;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks periodically whether a process without partitions is a standby, and updates {@link
 * Progress}. Uses its own thread; retries if the cluster does not answer.
 */
final class IdleWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdleWatch.class);
  private static final long INTERVAL_SECONDS = 10;

  private final String group;
  private final Set<String> inputs;
  private final Progress progress;
  private final BooleanSupplier warmingUp;
  private final Map<String, Object> client;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-idle-watch"));
  private Admin admin;

  /**
   * @param warmingUp whether this process restores state of partitions that others own
   */
  IdleWatch(KafkaSettings kafka, StreamsPlan plan, Progress progress, BooleanSupplier warmingUp) {
    this.group = plan.applicationId();
    this.inputs = Set.copyOf(plan.inputTopics());
    this.progress = progress;
    this.warmingUp = warmingUp;
    this.client = kafka.forAdmin();
  }

  void start() {
    executor.scheduleWithFixedDelay(
        this::lookOrLeave, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
  }

  private void lookOrLeave() {
    try {
      if (progress.partitions() == 0) {
        look();
      }
    } catch (KafkaException e) {
      LOG.debug("could not describe the group", e);
    }
  }

  private void look() {
    if (admin == null) {
      admin = Admin.create(client);
    }
    var found = KafkaFutures.await(admin.describeConsumerGroups(List.of(group)).all()).get(group);
    int owned = found.members().stream().mapToInt(member -> partitionsOf(member)).sum();
    int partitions = inputs.size() * SensorPartition.COUNT;
    if (standsBy(found.members().size(), owned, partitions, warmingUp.getAsBoolean())) {
      progress.moved();
    }
  }

  private int partitionsOf(MemberDescription member) {
    return (int)
        member.assignment().topicPartitions().stream()
            .filter(partition -> inputs.contains(partition.topic()))
            .count();
  }

  /**
   * Whether a process without partitions is a standby: others own all partitions, and there are
   * more threads than partitions or this process restores state for some.
   *
   * @param members members of the group: the threads of all processes
   * @param owned number of assigned partitions
   * @param partitions number of all partitions
   */
  static boolean standsBy(int members, int owned, int partitions, boolean warmingUp) {
    return owned == partitions && (members > partitions || warmingUp);
  }

  @Override
  public void close() {
    executor.shutdownNow();
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
