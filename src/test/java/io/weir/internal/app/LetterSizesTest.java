package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.internal.app.StreamsClients.LetterSizes;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;

/** Against the estimate by which Kafka's producer refuses a record. */
class LetterSizesTest {
  private static final int MOST = 20_000;

  private final LetterSizes sizes =
      LetterSizes.of(Map.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MOST));

  @Test
  void letterOfAnySize_isOneThatTheProducerTakes() {
    Seeds.forEach(
        500,
        random -> {
          Headers headers = DeadLetterHeaders.of(new Origin("weir.readings", 3, 77));
          for (int header = random.nextInt(4_000); header > 0; header--) {
            headers.add("h".repeat(random.nextInt(3)), new byte[random.nextInt(3)]);
          }
          ProducerRecord<byte[], byte[]> letter =
              record(random.nextInt(2 * MOST), random.nextInt(2 * MOST), headers);
          ProducerRecord<byte[], byte[]> sent = sizes.fitting(letter);
          assertThat(estimate(sent)).isLessThanOrEqualTo(MOST);
          assertThat(sent.partition()).isEqualTo(7);
          if (estimate(letter) <= MOST) {
            assertThat(sent).isSameAs(letter);
          }
        });
  }

  @Test
  void otherRecords_areLeftToTheProducer() {
    ProducerRecord<byte[], byte[]> summary = record(10, 2 * MOST, new RecordHeaders());
    assertThat(sizes.fitting(summary)).isSameAs(summary);
  }

  private static ProducerRecord<byte[], byte[]> record(int key, int value, Headers headers) {
    return new ProducerRecord<>("letters", 7, 1L, new byte[key], new byte[value], headers);
  }

  private static int estimate(ProducerRecord<byte[], byte[]> record) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        record.key(),
        record.value(),
        record.headers().toArray());
  }
}
