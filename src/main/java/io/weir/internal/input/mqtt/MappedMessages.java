package io.weir.internal.input.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.input.Delivery;
import io.weir.internal.input.Outcome;
import io.weir.internal.input.Sensor;
import io.weir.internal.text.RecordText;
import io.weir.reading.Limits;
import io.weir.reading.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Offers the readings of messages whose topics have a mapping. For one thread. */
final class MappedMessages {
  private static final int NANOS = 1_000_000;
  private static final String TOPIC = "topic:";

  private final List<Reader> readers = new ArrayList<>();

  private record Reader(MessageMapping mapping, RecordText text) {}

  MappedMessages(List<MessageMapping> mappings, Limits limits) {
    mappings.forEach(each -> readers.add(new Reader(each, each.reader(limits))));
  }

  /** Offers what the first mapping of the topic finds; empty if there is none. */
  Optional<MessageTally> decode(MqttMessage message, long arrivalNanos, Delivery delivery) {
    return readers.stream()
        .filter(each -> each.mapping().isOf(message.topic()))
        .findFirst()
        .map(each -> decode(each, message, arrivalNanos, delivery));
  }

  private static MessageTally decode(
      Reader reader, MqttMessage message, long arrivalNanos, Delivery delivery) {
    MessageTally tally = new MessageTally();
    byte[] body = message.payload();
    if (body.length == 0) {
      tally.skip("empty");
      return tally;
    }
    boolean timed = reader.mapping().isTimed();
    int nanos = timed ? 0 : Math.floorMod(arrivalNanos, NANOS);
    RecordText text = reader.text();
    text.read(
        body,
        Long.toString(Math.floorDiv(arrivalNanos, NANOS)),
        part -> part(message.topic(), part));
    text.refused().forEach(each -> tally.refuse(each.reason().name()));
    if (text.good().isEmpty() && text.refused().isEmpty()) {
      tally.skip("unmapped");
    }
    for (Reading reading : text.good()) {
      String id = reading.sensorId();
      Outcome outcome =
          delivery.offer(
              Sensor.of(id, id.getBytes(UTF_8), message.topic() + " " + id),
              reading.timestampMs(),
              nanos,
              reading.value(),
              reading.quality());
      outcome.refusal().ifPresent(tally::refuse);
      tally.withArrivalTime += timed ? 0 : 1;
    }
    return tally;
  }

  private static String part(String topic, String part) {
    if (part.equals("topic")) {
      return topic;
    }
    String level =
        part.startsWith(TOPIC) ? TopicParts.of(topic, part.substring(TOPIC.length())) : null;
    return level == null ? "" : level;
  }
}
