package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class RowGatewayTest {
  private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

  @Test
  void everyReadingIsSentOnce_inItsPartition_withSequencesWithoutGaps() throws Exception {
    MockProducer<byte[], byte[]> producer = producer(true);
    RowGateway gateway = new RowGateway("gateway-1", "readings", HOUR_NANOS, producer);
    List<Reading> offered = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      Reading reading = new Reading(Fleet.idOf(i % 3), i, i / 8.0);
      offered.add(reading);
      assertThat(gateway.offer(reading)).isTrue();
    }
    gateway.close();

    List<Reading> sent = new ArrayList<>();
    Map<Integer, Long> sequences = new HashMap<>();
    for (ProducerRecord<byte[], byte[]> record : producer.history()) {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      assertThat(batch.getGatewayId()).isEqualTo("gateway-1").isEqualTo(new String(record.key()));
      assertThat(batch.getReadingsCount()).isBetween(1, 1_000);
      assertThat(batch.getSequence()).isEqualTo(sequences.merge(record.partition(), 1L, Long::sum));
      batch
          .getReadingsList()
          .forEach(
              row -> {
                assertThat(record.partition()).isEqualTo(SensorPartition.of(row.getSensorId()));
                sent.add(new Reading(row.getSensorId(), row.getTimestampMs(), row.getValue()));
              });
    }
    assertThat(sent).containsExactlyInAnyOrderElementsOf(offered);
  }

  @Test
  void whatHasWaitedForTheFlushInterval_isSentAtOnce() {
    MockProducer<byte[], byte[]> producer = producer(true);
    RowGateway gateway = new RowGateway("gateway-1", "readings", 0, producer);
    gateway.offer(new Reading("a", 1, 1));
    gateway.offer(new Reading("a", 2, 2));
    assertThat(producer.history()).hasSize(2);
    gateway.look();
    assertThat(producer.history()).hasSize(2);
    gateway.close();
  }

  @Test
  void batchThatIsNotAcknowledged_isReportedAtTheEnd() {
    MockProducer<byte[], byte[]> producer = producer(false);
    RowGateway gateway = new RowGateway("gateway-1", "readings", 0, producer);
    gateway.offer(new Reading("a", 1, 1));
    producer.errorNext(new IllegalStateException("lost"));
    assertThatThrownBy(gateway::close).isInstanceOf(KafkaException.class);
  }

  private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
    return new MockProducer<>(
        acknowledges, null, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
