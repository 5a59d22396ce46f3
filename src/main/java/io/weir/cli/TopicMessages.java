package io.weir.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import io.weir.wire.Frame;
import io.weir.wire.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The messages in records of topics, for a person who looks into them. */
final class TopicMessages {
  private TopicMessages() {}

  /** Whether a topic's records are summaries of sensors. */
  static boolean areSummaries(Topic topic) {
    return topic.message() instanceof WindowSummary && topic.isOfSensors();
  }

  /**
   * Whose message is in a record: a dead letter has one of the topic that it comes from.
   *
   * @param topic that has the record
   * @param eventTopics names of the topics with batches of events
   */
  static Topic content(
      Topic topic, ConsumerRecord<byte[], byte[]> record, Set<String> eventTopics) {
    Header origin = record.headers().lastHeader(DeadLetterHeaders.TOPIC);
    boolean isOfEvents =
        topic == Topic.DEAD_LETTERS
            && origin != null
            && origin.value() != null
            && eventTopics.contains(new String(origin.value(), StandardCharsets.UTF_8));
    return isOfEvents ? Topic.EVENTS : topic;
  }

  /** The message of a topic in a value, framed or bare; empty where there is no such message. */
  static Optional<Message> read(Topic topic, byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      int payload = Frame.payloadOffset(value);
      return Optional.of(
          topic.message().getParserForType().parseFrom(value, payload, value.length - payload));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      return Optional.empty();
    }
  }
}
