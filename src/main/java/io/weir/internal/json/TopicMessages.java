package io.weir.internal.json;

import com.google.protobuf.Message;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.wire.Protobuf;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Decodes the messages in records of topics. */
public final class TopicMessages {
  private TopicMessages() {}

  /** Whether a topic's records are summaries of sensors. */
  public static boolean areSummaries(Topic topic) {
    return topic.message() instanceof WindowSummary && topic.isOfSensors();
  }

  /**
   * The topic whose message type a record has: a dead letter has the type of its source topic.
   *
   * @param topic topic of the record
   * @param eventTopics names of the topics with batches of events
   */
  public static Topic content(
      Topic topic, ConsumerRecord<byte[], byte[]> record, Set<String> eventTopics) {
    Header origin = record.headers().lastHeader(DeadLetterHeaders.TOPIC);
    boolean isOfEvents =
        topic == Topic.DEAD_LETTERS
            && origin != null
            && origin.value() != null
            && eventTopics.contains(new String(origin.value(), StandardCharsets.UTF_8));
    return isOfEvents ? Topic.EVENTS : topic;
  }

  /** Decodes a value, framed or bare; empty if it is not a message of the topic. */
  public static Optional<Message> read(Topic topic, byte[] value) {
    return Protobuf.find(topic.message(), value);
  }
}
