package io.weir.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.Frame;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import io.weir.v1.ReadingBatch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Where a schema registry is set, all gateways of the fleet frame their batches. */
class FramedUplinksTest {
  private static final String TOPIC = "readings";
  private static final String SENSOR = "boiler-3";

  private final Map<String, Object> registry =
      Map.of("schema.registry.url", "mock://" + UUID.randomUUID(), "auto.register.schemas", "true");

  @Test
  void honestGateways_haveTheRegistry() {
    KafkaUplinks ways = new KafkaUplinks("b:1", TOPIC, registry, 1, new FleetLedger());
    assertThat(ways.settings(GatewayRole.STEADY).schemaRegistry()).isEqualTo(registry);
  }

  @Test
  void homemadeGateways_frameBatches_alsoThoseTheySendAgain_butNotPoison() throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    HomemadeUplink uplink = uplink(registry, producer);
    int partition = SensorPartition.of(SENSOR);
    uplink.offer(new Reading(SENSOR, 1_000, 71.5), FleetLedger.Kind.HONEST);
    uplink.flush();
    uplink.resend(partition);
    uplink.poison(partition, new byte[] {7});

    List<ProducerRecord<byte[], byte[]>> sent = producer.history();
    assertThat(sent).hasSize(3);
    assertThat(sent.get(1).value()).isEqualTo(sent.get(0).value());
    assertThat(sent.get(2).value()).containsExactly(7);
    byte[] value = sent.get(0).value();
    int payload = Frame.payloadOffset(value);
    assertThat(payload).isPositive();
    ReadingBatch batch = ReadingBatch.parseFrom(Arrays.copyOfRange(value, payload, value.length));
    assertThat(batch.getReadings(0).getSensorId()).isEqualTo(SENSOR);
  }

  @Test
  void withoutARegistry_batchesAreBare() throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    HomemadeUplink uplink = uplink(Map.of(), producer);
    uplink.offer(new Reading(SENSOR, 1_000, 71.5), FleetLedger.Kind.HONEST);
    uplink.flush();
    assertThat(ReadingBatch.parseFrom(producer.history().get(0).value()).getReadingsCount())
        .isEqualTo(1);
  }

  private static HomemadeUplink uplink(
      Map<String, Object> values, MockProducer<byte[], byte[]> producer) {
    ValueFormat.Writer writer =
        ValueFormat.of(values).writer(TOPIC, ReadingBatch.getDefaultInstance());
    return new HomemadeUplink("g", 1, TOPIC, writer, producer, new FleetLedger());
  }
}
