package io.weir.internal.app;

import io.weir.internal.time.Daemons;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicDifference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the topics periodically: the number of partitions, which determines the location of a
 * sensor's state; the settings that protect records; and the topic ids. Kafka Streams would
 * recreate a missing changelog and continue with empty state. Uses its own thread; retries if the
 * cluster does not answer.
 */
final class TopicWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
  private static final long INTERVAL_SECONDS = 10;

  private final WeirConfig config;
  private final StreamsPlan plan;
  private final Runnable onLook;
  private final Consumer<String> onFinding;
  private final Map<String, Uuid> ids = new HashMap<>();
  private final Set<String> missing = new HashSet<>();
  private final Set<String> warned = new HashSet<>();
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-topic-watch"));
  private Admin admin;
  private TopicAdmin topics;
  private volatile int warnings;

  /**
   * @param onLook runs at each check; may query the cluster
   * @param onFinding receives problems with their remedies
   */
  TopicWatch(WeirConfig config, StreamsPlan plan, Runnable onLook, Consumer<String> onFinding) {
    this.onLook = onLook;
    this.config = config;
    this.plan = plan;
    this.onFinding = onFinding;
  }

  /** Checks once before it returns: later checks compare with this state. */
  void start() {
    admin = Admin.create(config.kafka().forAdmin());
    topics = new TopicAdmin(admin, plan.topics(), config.topicOptions());
    look();
    executor.scheduleWithFixedDelay(
        this::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
  }

  /** The number of topic settings that differed from the plan at the last check. */
  int warnings() {
    return warnings;
  }

  void look() {
    try {
      List<String> all = new ArrayList<>(plan.topics().all());
      all.addAll(plan.changelogs());
      all.forEach(this::checkSame);
      checkSettings();
      onLook.run();
    } catch (KafkaException e) {
      LOG.debug("could not check the topics", e);
    }
  }

  private void checkSettings() {
    List<TopicDifference> differences = new ArrayList<>(topics.verify());
    for (String changelog : plan.changelogs()) {
      if (ids.containsKey(changelog)) {
        differences.addAll(topics.verifyChangelog(changelog));
      }
    }
    // checkSame reports a missing topic, after a second check.
    differences.removeIf(difference -> difference.isNote() || missing.contains(difference.topic()));
    for (TopicDifference difference : differences) {
      if (difference.isFatal()) {
        onFinding.accept(difference.toString());
      } else if (warned.add(difference.toString())) {
        LOG.warn("{}", difference);
      }
    }
    warnings = differences.size();
  }

  /**
   * A changelog may be missing before the first commit; a topic that was seen once must stay. A
   * missing topic is checked twice: the metadata of a broker may be stale.
   */
  private void checkSame(String topic) {
    Uuid before = ids.get(topic);
    Uuid now = topics.id(topic).orElse(null);
    if (before == null) {
      if (now != null) {
        ids.put(topic, now);
      }
    } else if (now == null && missing.add(topic)) {
      LOG.warn("topic {} seems to be missing; checking again in {} s", topic, INTERVAL_SECONDS);
    } else if (now == null) {
      onFinding.accept(lost(topic, "was deleted"));
    } else if (!before.equals(now)) {
      onFinding.accept(lost(topic, "was deleted and recreated"));
    } else {
      missing.remove(topic);
    }
  }

  private String lost(String topic, String how) {
    if (plan.changelogs().contains(topic)) {
      return "state was lost: the changelog "
          + topic
          + " "
          + how
          + " while running; restore it, or start with a new "
          + plan.idSetting()
          + ", which reads from the beginning";
    }
    if (plan.inputTopics().contains(topic)) {
      return "topic "
          + topic
          + " "
          + how
          + " while running, and the state belongs to the earlier one; start with a new "
          + plan.idSetting();
    }
    return "topic " + topic + " " + how + " while running; run weir topics, and start again";
  }

  @Override
  public void close() {
    executor.shutdownNow();
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
