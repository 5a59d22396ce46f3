package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.Seeds;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventColumns.Text;
import io.weir.internal.event.RandomEvents;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventDecoderTest {
  private final EventDecoder decoder = new EventDecoder(new Limits(100_000, 10, 256));

  @Test
  void anyBatch_isWhatProtobufReads() {
    Seeds.forEach(20, this::decodeBatches);
  }

  private void decodeBatches(Random random) throws Exception {
    RandomEvents events = new RandomEvents(random);
    for (int i = 0; i < 100; i++) {
      EventBatch batch = random.nextBoolean() ? events.batch(3, 10) : events.orders(3, 1_000_000);
      batch = batch.toBuilder().setGatewayId("gä").setBootId(-7).setSequence(i).build();
      assertSame(decoder.decode(batch.toByteArray()), batch);
    }
  }

  /** What is taken apart and put together again is the same. */
  private static void assertSame(EventColumns columns, EventBatch batch)
      throws InvalidProtocolBufferException {
    assertThat(columns.gatewayId()).isEqualTo(batch.getGatewayId());
    assertThat(columns.bootId()).isEqualTo(batch.getBootId());
    assertThat(columns.sequence()).isEqualTo(batch.getSequence());
    assertThat(columns.size()).isEqualTo(batch.getEventsCount());
    EventBatchEncoder encoder = new EventBatchEncoder();
    for (int i = 0; i < columns.size(); i++) {
      Event event = batch.getEvents(i);
      assertThat(text(columns, i, Text.KEY)).isEqualTo(event.getKey());
      assertThat(text(columns, i, Text.SUBJECT)).isEqualTo(event.getSubject());
      assertThat(text(columns, i, Text.TYPE)).isEqualTo(event.getType());
      assertThat(text(columns, i, Text.ID)).isEqualTo(event.getId());
      assertThat(columns.timestampMs(i)).isEqualTo(event.getTimestampMs());
      assertThat(columns.dueMs(i)).isEqualTo(event.getDueMs());
      assertThat(columns.everyMs(i)).isEqualTo(event.getEveryMs());
      assertThat(columns.isCancel(i)).isEqualTo(event.getCancel());
      assertThat(columns.fieldsEnd(i) - columns.firstField(i)).isEqualTo(event.getFieldsCount());
      encoder.add(columns, i);
    }
    assertThat(EventBatch.parseFrom(encoder.take()).getEventsList())
        .isEqualTo(batch.getEventsList());
  }

  private static String text(EventColumns columns, int event, Text which) {
    return new String(columns.bytes(event, which), StandardCharsets.UTF_8);
  }

  /** Damaged anywhere, it is taken where protobuf takes it, and refused where that refuses it. */
  @Test
  void damagedBatch_isTakenOrRefusedAsByProtobuf() {
    Seeds.forEach(20, this::damageBatches);
  }

  private void damageBatches(Random random) {
    RandomEvents events = new RandomEvents(random);
    int taken = 0;
    int refused = 0;
    for (int i = 0; i < 1_000; i++) {
      byte[] bytes = events.orders(3, 1_000_000).toByteArray();
      for (int n = random.nextInt(3); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (bytes[0] == 0) {
        continue; // A frame.
      }
      EventBatch batch;
      try {
        batch = EventBatch.parseFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        batch = null;
      }
      EventColumns columns;
      try {
        columns = decoder.decode(bytes);
      } catch (UndecodableException e) {
        columns = null;
      }
      assertThat(columns != null).isEqualTo(batch != null);
      if (batch != null) {
        assertThat(columns.size()).isEqualTo(batch.getEventsCount());
        taken++;
      } else {
        refused++;
      }
    }
    assertThat(taken).isPositive();
    assertThat(refused).isPositive();
  }

  @Test
  void moreEventsThanTheLimit_orALongerRecord_isRefused() {
    EventBatch.Builder batch = EventBatch.newBuilder();
    for (int i = 0; i < 11; i++) {
      batch.addEvents(Event.newBuilder().setKey("k"));
    }
    assertThatThrownBy(() -> decoder.decode(batch.build().toByteArray()))
        .hasMessageContaining("10 events");
    assertThatThrownBy(() -> decoder.decode(new byte[100_001])).hasMessageContaining("100001");
  }

  @Test
  void keyThatIsNoUtf8_isRefused() throws Exception {
    byte[] event = {1 << 3 | 2, 1, (byte) 0xff};
    byte[] batch = new byte[5];
    CodedOutputStream out = CodedOutputStream.newInstance(batch);
    out.writeBytes(EventBatch.EVENTS_FIELD_NUMBER, ByteString.copyFrom(event));
    assertThatThrownBy(() -> decoder.decode(batch)).hasMessageContaining("UTF-8");
  }
}
