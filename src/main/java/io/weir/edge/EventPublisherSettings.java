package io.weir.edge;

import static io.weir.edge.SettingChecks.requireThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a gateway's publisher of events. Immutable.
 *
 * @param publisher gateway, brokers, queue, disk and signature, applied to each of the two topics
 *     separately. Its topic and its settings for the order, splitting and folding of readings are
 *     ignored. {@code keepIn} has a subdirectory per topic
 * @param eventsTopic topic of all other events, with 64 partitions
 * @param scheduledTopic topic of scheduled events and their cancellations
 * @param fold whether events are folded before they are sent
 */
public record EventPublisherSettings(
    PublisherSettings publisher, String eventsTopic, String scheduledTopic, Optional<Fold> fold) {
  private static final Duration MIN_QUIET = Duration.ofMillis(1);
  private static final Duration MAX_HOLD = Duration.ofDays(1);

  /**
   * When a fold is sent.
   *
   * @param quiet time after its last event: 1 ms or more
   * @param maxHold time after its first event: from {@code quiet} to 1 day
   */
  public record Fold(Duration quiet, Duration maxHold) {
    public Fold {
      requireThat(quiet.compareTo(MIN_QUIET) >= 0, "fold.quiet", quiet, "1 ms or more");
      requireThat(
          maxHold.compareTo(quiet) >= 0 && maxHold.compareTo(MAX_HOLD) <= 0,
          "fold.maxHold",
          maxHold,
          "from fold.quiet to a day");
    }
  }

  public EventPublisherSettings {
    requireThat(!eventsTopic.isBlank(), "eventsTopic", eventsTopic, "the name of a topic");
    requireThat(!scheduledTopic.isBlank(), "scheduledTopic", scheduledTopic, "the name of a topic");
    requireThat(
        publisher.start().isFresh() && publisher.journal() == BatchJournal.none(),
        "publisher",
        publisher.gatewayId(),
        "no journal, resumeFrom or startAfter; use keepIn to keep events on disk");
  }

  /** Publishes to weir.events and weir.scheduled, without folding. */
  public static EventPublisherSettings of(PublisherSettings publisher) {
    return new EventPublisherSettings(publisher, "weir.events", "weir.scheduled", Optional.empty());
  }

  /** The same settings with other topics. */
  public EventPublisherSettings topics(String events, String scheduled) {
    return new EventPublisherSettings(publisher, events, scheduled, fold);
  }

  /**
   * Folds events before they are sent, which saves uplink traffic: events with the same key,
   * subject and type become one event with the newest value of each field, by event time, with the
   * time of each, and the newest timestamp. A fold is sent after {@code quiet} without a further
   * event, at the latest {@code maxHold} after its first event. Waiting folds are in memory only,
   * also with {@code keepIn}.
   */
  public EventPublisherSettings fold(Duration quiet, Duration maxHold) {
    return new EventPublisherSettings(
        publisher, eventsTopic, scheduledTopic, Optional.of(new Fold(quiet, maxHold)));
  }

  /**
   * The publisher's settings for one of the topics.
   *
   * @param directory subdirectory of {@code keepIn}, if that is set
   */
  PublisherSettings forTopic(String topic, String directory) {
    return new PublisherSettings(
        publisher.gatewayId(),
        publisher.bootstrapServers(),
        topic,
        publisher.batchMaxReadings(),
        publisher.flushInterval(),
        publisher.queueCapacity(),
        publisher.suspendThresholdPercent(),
        publisher.resumeThresholdPercent(),
        Folding.OFF,
        publisher.compression(),
        publisher.limits(),
        publisher.journal(),
        publisher.start(),
        publisher.queueCapacityBytes(),
        publisher.keepIn().map(path -> path.resolve(directory)),
        publisher.keepMaxBytes(),
        publisher.keepReplayRate(),
        StoredReadings.NONE,
        publisher.overflow(),
        false,
        Map.of(),
        publisher.signingKey(),
        publisher.deadLetters(),
        publisher.refusals(),
        publisher.listener(),
        publisher.kafka(),
        publisher.schemaRegistry());
  }
}
