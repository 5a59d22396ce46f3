package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import io.weir.v1.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.SessionWindows;
import org.apache.kafka.streams.kstream.Suppressed;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.SessionStore;

/**
 * Folding as a user of the DSL would first write it: session windows with Weir's default quiet
 * time, suppressed until they close.
 */
final class FoldDslTopology {
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofMinutes(1);

  private FoldDslTopology() {}

  /**
   * @param onRead called for each event that comes from the repartition topic
   */
  static Topology build(String events, String folded, Runnable onRead) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(
            events, Consumed.with(Serdes.ByteArray(), messages(EventBatch.parser(), () -> {})))
        .flatMap((gateway, batch) -> eventsOf(batch))
        .processValues(EventTime::new)
        .groupByKey(Grouped.with(Serdes.String(), messages(Event.parser(), onRead)))
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(QUIET, GRACE))
        .aggregate(
            FoldedEvent::getDefaultInstance,
            (key, event, fold) -> add(event, fold),
            (key, one, other) -> merge(one, other),
            Materialized.<String, FoldedEvent, SessionStore<Bytes, byte[]>>as("folds")
                .withKeySerde(Serdes.String())
                .withValueSerde(messages(FoldedEvent.parser(), () -> {})))
        .suppress(Suppressed.untilWindowCloses(Suppressed.BufferConfig.unbounded()))
        .toStream((window, fold) -> window.key())
        .to(folded, Produced.with(Serdes.String(), messages(FoldedEvent.parser(), () -> {})));
    return builder.build();
  }

  private static List<KeyValue<String, Event>> eventsOf(EventBatch batch) {
    List<KeyValue<String, Event>> events = new ArrayList<>();
    batch.getEventsList().forEach(event -> events.add(KeyValue.pair(event.getKey(), event)));
    return events;
  }

  private static FoldedEvent add(Event event, FoldedEvent fold) {
    FoldedEvent.Builder next = fold.toBuilder().setEventCount(fold.getEventCount() + 1);
    event.getFieldsMap().forEach((name, value) -> add(name, value, next));
    return next.build();
  }

  private static void add(String name, Value value, FoldedEvent.Builder fold) {
    FoldedField before = fold.getFieldsOrDefault(name, null);
    FoldedField.Builder field =
        before == null ? FoldedField.newBuilder().setFirst(value) : before.toBuilder();
    fold.putFields(name, field.setLast(value).setOccurrences(field.getOccurrences() + 1).build());
  }

  private static FoldedEvent merge(FoldedEvent one, FoldedEvent other) {
    FoldedEvent.Builder both =
        one.toBuilder().setEventCount(one.getEventCount() + other.getEventCount());
    other
        .getFieldsMap()
        .forEach(
            (name, field) -> {
              FoldedField before = both.getFieldsOrDefault(name, null);
              FoldedField.Builder merged =
                  before == null ? field.toBuilder() : before.toBuilder().setLast(field.getLast());
              long more = before == null ? 0 : field.getOccurrences();
              both.putFields(name, merged.setOccurrences(merged.getOccurrences() + more).build());
            });
    return both.build();
  }

  /** Sessions are cut by the times of events, not by those of the records they came in. */
  private static final class EventTime extends ContextualFixedKeyProcessor<String, Event, Event> {
    @Override
    public void process(FixedKeyRecord<String, Event> record) {
      context().forward(record.withTimestamp(record.value().getTimestampMs()));
    }
  }

  private static <T extends MessageLite> Serde<T> messages(Parser<T> parser, Runnable onRead) {
    Deserializer<T> deserializer =
        (topic, bytes) -> {
          if (bytes == null) {
            return null;
          }
          onRead.run();
          try {
            return parser.parseFrom(bytes);
          } catch (InvalidProtocolBufferException e) {
            throw new SerializationException(e);
          }
        };
    return Serdes.serdeFrom(
        (topic, message) -> message == null ? null : message.toByteArray(), deserializer);
  }
}
