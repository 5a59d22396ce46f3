package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** First contact with partitions whose leaders come up late. */
@Timeout(120)
class FirstContactTest {
  private static final String TOPIC = "weir.readings";

  /** Each batch in a request of its own, as far as its partition is concerned. */
  private static final Map<String, Object> ONE_BY_ONE = Map.of("batch.size", 1);

  /**
   * What the publisher is guarded against, shown on Kafka's own producer as it comes: batches 2 to
   * 5 are taken, because the broker knows nothing of their producer; batch 1 is out of order then,
   * is tried in vain until its time is over, and is lost.
   */
  @Test
  void idempotentProducer_withFiveRequestsInFlight_wedgesAndLosesItsFirstBatch() throws Exception {
    try (LateLeaders brokers = LateLeaders.start()) {
      KafkaRig.createTopic(brokers.bootstrapServers(), TOPIC, Map.of());
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      try (KafkaProducer<byte[], byte[]> producer = plainProducer(brokers.bootstrapServers())) {
        for (int i = 1; i <= 5; i++) {
          byte[] value = ("batch " + i).getBytes(StandardCharsets.UTF_8);
          sent.add(producer.send(new ProducerRecord<>(TOPIC, 7, KafkaRig.KEY, value)));
        }
      }

      assertThat(brokers.overtakings()).isPositive();
      assertThat(brokers.outOfOrders()).as("tries, all in vain").isGreaterThan(1);
      assertThatThrownBy(sent.get(0)::get).isInstanceOf(ExecutionException.class);
      assertThat(valuesOf(brokers, 7)).containsExactly("batch 2", "batch 3", "batch 4", "batch 5");
    }
  }

  /** First one partition, as above; then all that are left. */
  @Test
  void publisher_neverHasASecondBatchInFlight_andLosesNothing() throws Exception {
    try (LateLeaders brokers = LateLeaders.start()) {
      KafkaRig.createTopic(brokers.bootstrapServers(), TOPIC, Map.of());
      KafkaRig rig = new KafkaRig();
      try (ReadingPublisher publisher = rig.start(brokers.bootstrapServers(), TOPIC, ONE_BY_ONE)) {
        for (int i = 1; i <= 1_000; i++) {
          rig.offer(publisher, new Reading("lone sensor", i, i));
        }
        publisher.flush();
        rig.offerAll(publisher, 0, 20_000);
        publisher.flush();
        assertThat(rig.replacements()).isZero();
      }

      rig.assertArrived(brokers.bootstrapServers(), TOPIC, 21_000);
      assertThat(brokers.firstContacts()).isEqualTo(64);
      assertThat(brokers.outOfOrders()).isZero();
      assertThat(brokers.overtakings()).isZero();
    }
  }

  private static KafkaProducer<byte[], byte[]> plainProducer(String bootstrapServers) {
    Map<String, Object> settings = new HashMap<>(ONE_BY_ONE);
    settings.put("bootstrap.servers", bootstrapServers);
    // So soon a wedge is given up.
    settings.put("request.timeout.ms", 3_000);
    settings.put("delivery.timeout.ms", 4_000);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static List<String> valuesOf(LateLeaders brokers, int partition) {
    List<String> values = new ArrayList<>();
    for (byte[] value : KafkaRig.readAll(brokers.bootstrapServers(), TOPIC).get(partition)) {
      values.add(new String(value, StandardCharsets.UTF_8));
    }
    return values;
  }
}
