package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import io.weir.v1.Value;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

final class FoldDslTopologyTest {
  private static final long START_MS = 1_600_000_000_000L;

  private static Event.Builder event(String key, long ms, double speed) {
    return Event.newBuilder()
        .setKey(key)
        .setTimestampMs(START_MS + ms)
        .putFields("speed", Value.newBuilder().setDoubleValue(speed).build());
  }

  @Test
  void eventsOfAKey_becomeOne_onceItHasRested() throws Exception {
    AtomicInteger read = new AtomicInteger();
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            FoldDslTopology.build("in", "out", read::incrementAndGet), new Properties())) {
      TestInputTopic<byte[], byte[]> in =
          driver.createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer());
      TestOutputTopic<String, byte[]> out =
          driver.createOutputTopic("out", new StringDeserializer(), new ByteArrayDeserializer());
      EventBatch batch =
          EventBatch.newBuilder()
              .addEvents(event("a", 0, 1))
              .addEvents(event("a", 3_000, 2))
              .addEvents(event("b", 200_000, 3))
              .build();
      in.pipeInput(batch.toByteArray());

      KeyValue<String, byte[]> folded = out.readKeyValue();
      FoldedEvent fold = FoldedEvent.parseFrom(folded.value);
      assertThat(folded.key).isEqualTo("a");
      assertThat(fold.getEventCount()).isEqualTo(2);
      assertThat(fold.getFieldsOrThrow("speed").getFirst().getDoubleValue()).isEqualTo(1);
      assertThat(fold.getFieldsOrThrow("speed").getLast().getDoubleValue()).isEqualTo(2);
      assertThat(fold.getFieldsOrThrow("speed").getOccurrences()).isEqualTo(2);
      assertThat(out.isEmpty()).isTrue();
      assertThat(read.get()).isEqualTo(3);
    }
  }
}
