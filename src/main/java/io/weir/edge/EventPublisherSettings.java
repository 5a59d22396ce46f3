package io.weir.edge;

import static io.weir.edge.SettingChecks.requireThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a gateway's publisher of events works. Immutable.
 *
 * @param publisher gateway, brokers, queue, disk, signature, of each of the two topics for itself;
 *     its topic, and what it says of the order, the splitting and the folding of readings, is not
 *     looked at. {@code keepIn} gets a directory for each topic
 * @param eventsTopic of events that happened, with 64 partitions
 * @param scheduledTopic of events that are to come, and of those that take them back
 * @param fold whether events are folded before they are sent
 */
public record EventPublisherSettings(
    PublisherSettings publisher, String eventsTopic, String scheduledTopic, Optional<Fold> fold) {
  private static final Duration MIN_QUIET = Duration.ofMillis(1);
  private static final Duration MAX_HOLD = Duration.ofDays(1);

  /**
   * When a fold is sent.
   *
   * @param quiet after its last event: 1 ms or more
   * @param maxHold after its first event: from {@code quiet} to a day
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
        "no journal, resumeFrom or startAfter: keepIn keeps events");
  }

  /** To weir.events and weir.scheduled, and nothing is folded. */
  public static EventPublisherSettings of(PublisherSettings publisher) {
    return new EventPublisherSettings(publisher, "weir.events", "weir.scheduled", Optional.empty());
  }

  /** The same to other topics. */
  public EventPublisherSettings topics(String events, String scheduled) {
    return new EventPublisherSettings(publisher, events, scheduled, fold);
  }

  /**
   * Folds events before they are sent, which saves the uplink: those of one key, subject and type
   * become one event with all their fields, of each the newest value by event time, and with the
   * newest time. It is sent when nothing came for {@code quiet}, or {@code maxHold} after the first
   * of them. What was accepted and waits in a fold is in memory alone, also with {@code keepIn}.
   */
  public EventPublisherSettings fold(Duration quiet, Duration maxHold) {
    return new EventPublisherSettings(
        publisher, eventsTopic, scheduledTopic, Optional.of(new Fold(quiet, maxHold)));
  }

  /**
   * The publisher's settings for one of the topics.
   *
   * @param directory below {@code keepIn}, where that is set
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
