package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.registry.FakeRegistry;
import io.weir.internal.registry.ProtobufSerializer;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.MessageIndexes;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code weir events} with a schema registry: what it accepts, and what it writes. */
@Timeout(60)
class FramedEventsTest {
  private static final String EVENTS = Topic.EVENTS.defaultName();
  private static final String KEY = EventDriver.keys(1).get(0);

  private final FakeRegistry registry = FakeRegistry.start();
  private final EventDriver weir =
      new EventDriver(
          new FoldSpec(5_000, 60_000, 1_000, 1 << 20), ValueFormat.of(registrySettings()));

  @AfterEach
  void close() {
    weir.close();
    registry.close();
  }

  private Map<String, Object> registrySettings() {
    return Map.of(RegistrySettings.URL, registry.url(), RegistrySettings.MAX_RETRIES, 0);
  }

  private byte[] framed(String topic, Event... events) {
    try (ProtobufSerializer<EventBatch> serializer = new ProtobufSerializer<>()) {
      serializer.configure(registrySettings(), false);
      return serializer.serialize(topic, batch(events));
    }
  }

  private static EventBatch batch(Event... events) {
    return EventBatch.newBuilder().addAllEvents(List.of(events)).build();
  }

  private Event.Builder event(String field) {
    return Event.newBuilder()
        .setKey(KEY)
        .setTimestampMs(weir.nowMs())
        .putFields(field, Value.newBuilder().setInt64Value(1).build());
  }

  private byte[] head(String topic, Descriptor message) {
    int id = registry.schemas().latest(topic + "-value").id();
    return Frame.head(id, MessageIndexes.of(message));
  }

  @Test
  void framesAndBareBatches_mixed_makeFramedFolds_andBareDeadLetters() throws Exception {
    weir.pipe(EVENTS, framed(EVENTS, event("a").build()), new RecordHeaders());
    weir.pipe(EVENTS, batch(event("b").build()).toByteArray(), new RecordHeaders());
    Event refused = event("c").clearTimestampMs().build();
    weir.pipe(EVENTS, framed(EVENTS, event("d").build(), refused), new RecordHeaders());
    weir.silence(6_000);

    byte[] fold = weir.values(Topic.FOLDED.defaultName()).get(0);
    byte[] head = head(Topic.FOLDED.defaultName(), FoldedEvent.getDescriptor());
    assertThat(fold).startsWith(head);
    assertThat(FoldedEvent.parseFrom(Arrays.copyOfRange(fold, head.length, fold.length)))
        .satisfies(
            folded -> {
              assertThat(folded.getEventCount()).isEqualTo(3);
              assertThat(folded.getFieldsMap()).containsOnlyKeys("a", "b", "d");
            });
    DeadLetter deadLetter = weir.deadLetters().get(0);
    assertThat(EventBatch.parseFrom(deadLetter.value()).getEventsList()).containsExactly(refused);
    assertThatThrownBy(() -> registry.schemas().latest("weir.dead-letters-value"));
  }

  @Test
  void scheduledEvent_inAFrame_comesDueInAFrame() {
    String scheduled = Topic.SCHEDULED.defaultName();
    Event due = event("a").setId("t").setDueMs(weir.nowMs() + 2_000).build();
    weir.pipe(scheduled, framed(scheduled, due), new RecordHeaders());
    weir.silence(3_000);

    byte[] fired = weir.values(EVENTS).get(0);
    assertThat(fired).startsWith(head(EVENTS, EventBatch.getDescriptor()));
  }

  @Test
  void frameThatTheRegistryDoesNotKnow_isADeadLetterAsItCame() {
    byte[] unknown =
        Frame.join(
            Frame.head(4_711, MessageIndexes.FIRST), batch(event("a").build()).toByteArray());
    weir.pipe(EVENTS, unknown, new RecordHeaders());

    assertThat(weir.deadLetters())
        .singleElement()
        .satisfies(
            deadLetter -> {
              assertThat(deadLetter.reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
              assertThat(deadLetter.value()).isEqualTo(unknown);
            });
  }
}
