package io.weir.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.weir.app.WeirConfig;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.topic.Topic;
import io.weir.wire.Frame;
import io.weir.wire.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The topics a person can look into. */
enum TailKind {
  WINDOWS(Topic.WINDOWS),
  ROLLUPS(Topic.ROLLUPS),
  HOPPING(Topic.HOPPING),
  STATUS(Topic.STATUS),
  LATE(Topic.LATE),
  DEAD_LETTERS(Topic.DEAD_LETTERS),
  READINGS(Topic.READINGS),
  CONTROL(Topic.CONTROL),
  EVENTS(Topic.EVENTS),
  SCHEDULED(Topic.SCHEDULED),
  FOLDED(Topic.FOLDED),
  GROUPS(Topic.GROUPS),
  GROUP_PARTS(Topic.GROUP_PARTS);

  private final Topic topic;

  TailKind(Topic topic) {
    this.topic = topic;
  }

  /** The topic's name on a cluster, switched on or not. */
  String topic(WeirConfig config) {
    return config.nameOf(topic);
  }

  /** Whether its records are about sensors. */
  boolean hasSensors() {
    return topic.isOfSensors();
  }

  /** Whether its records are summaries. */
  boolean hasSummaries() {
    return this == WINDOWS || this == ROLLUPS || this == HOPPING;
  }

  /** Whether its records carry headers that a person wants to see. */
  boolean showsHeaders() {
    return this == LATE || this == DEAD_LETTERS;
  }

  /**
   * Whose message is in a record: a dead letter has one of the topic that it comes from.
   *
   * @param eventTopics names of the topics with batches of events
   */
  TailKind content(ConsumerRecord<byte[], byte[]> record, Set<String> eventTopics) {
    Header origin = record.headers().lastHeader(DeadLetterHeaders.TOPIC);
    boolean isOfEvents =
        this == DEAD_LETTERS
            && origin != null
            && origin.value() != null
            && eventTopics.contains(new String(origin.value(), StandardCharsets.UTF_8));
    return isOfEvents ? EVENTS : this;
  }

  /** The message in a record's value, framed or bare. */
  Message decode(byte[] value) throws InvalidProtocolBufferException, UndecodableException {
    int payload = Frame.payloadOffset(value);
    return topic.message().getParserForType().parseFrom(value, payload, value.length - payload);
  }

  /** The same; empty where there is no such message. */
  Optional<Message> message(byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(decode(value));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      return Optional.empty();
    }
  }

  /** A kind as one types it. */
  static final class Converter implements ITypeConverter<TailKind> {
    @Override
    public TailKind convert(String text) {
      return Stream.of(values())
          .filter(kind -> kind.toString().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      text
                          + ": allowed is windows, rollups, hopping, status, late, dead-letters,"
                          + " readings, control, events, scheduled, folded, groups or"
                          + " group-parts"));
    }
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return topic.text();
  }
}
