package io.weir.internal.app;

import io.weir.internal.wire.ResetMark;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Seeded poison of every kind that there is a reason for, to every partition, each record of it
 * beside good readings; and for each record the one dead letter that must come of it.
 */
final class PoisonedTraffic implements AutoCloseable {
  /** A record of the readings topic. */
  record Place(int partition, long offset) {}

  /** Of boots 10 to 15 the four newest are kept; sequences of boot 15 below 3,976 are stale. */
  private static final long FENCED_BOOT = 11;

  private static final long NEWEST_BOOT = 15;
  private static final long HIGHEST_SEQUENCE = 5_000;
  private static final long T = 1_000_000;

  private final Random random;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<List<String>> sensors = new ArrayList<>();
  private final Map<Place, RejectReason> expected = new HashMap<>();
  private final List<RejectReason> sent = new ArrayList<>();
  private final List<Future<RecordMetadata>> acknowledged = new ArrayList<>();
  private long goodReadings;

  PoisonedTraffic(Map<String, Object> client, long seed) {
    Map<String, Object> settings = new HashMap<>(client);
    settings.put("max.request.size", 2 << 20);
    settings.put("max.in.flight.requests.per.connection", 1);
    this.random = new Random(seed);
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      sensors.add(new ArrayList<>());
    }
    for (int i = 0; i < 1_000; i++) {
      sensors.get(SensorPartition.of("sensor-" + i)).add("sensor-" + i);
    }
  }

  /** Sends so many, kind after kind, and learns where they came to lie. */
  void send(int records) throws Exception {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      for (long boot = 10; boot <= NEWEST_BOOT; boot++) {
        good(partition, sequenced(partition, boot, boot == NEWEST_BOOT ? HIGHEST_SEQUENCE : 1));
      }
    }
    RejectReason[] reasons = RejectReason.values();
    for (int i = 0; i < records; i++) {
      poison(random.nextInt(SensorPartition.COUNT), reasons[i % reasons.length]);
    }
    for (int i = 0; i < acknowledged.size(); i++) {
      RecordMetadata metadata = acknowledged.get(i).get();
      if (sent.get(i) != null) {
        expected.put(new Place(metadata.partition(), metadata.offset()), sent.get(i));
      }
    }
  }

  /** The one dead letter of each poisoned record. */
  Map<Place, RejectReason> expected() {
    return expected;
  }

  long goodReadings() {
    return goodReadings;
  }

  private void poison(int partition, RejectReason reason) {
    Reading good = reading(sensor(partition), T + random.nextInt(50), 1);
    switch (reason) {
      case UNDECODABLE -> undecodable(partition);
      case UNKNOWN_SCHEMA -> send(partition, reason, new byte[] {0, 0, 0, 0, 1, 2, 2, 10});
      case UNKNOWN_RESET -> forgedReset(partition);
      case INVALID_GATEWAY ->
          send(
              partition,
              reason,
              random.nextBoolean()
                  ? batch(good).setBootId(7).setSequence(1)
                  : batch(good).setGatewayId("g".repeat(257)));
      case INVALID_SEQUENCE ->
          send(
              partition,
              reason,
              switch (random.nextInt(4)) {
                case 0 -> batch(good).setGatewayId("g").setBootId(7);
                case 1 -> batch(good).setGatewayId("g").setBootId(-7).setSequence(1);
                case 2 -> batch(good).setGatewayId("g").setBootId(7).setSequence(-1);
                default -> batch(good).setGatewayId("g").setBootId(7).setSequence(1 << 21);
              });
      case FENCED -> send(partition, reason, sequenced(partition, FENCED_BOOT, 2));
      case STALE_SEQUENCE ->
          send(partition, reason, sequenced(partition, NEWEST_BOOT, 1 + random.nextInt(3_000)));
      case MISSING_SENSOR_ID -> besideGood(partition, reason, reading("", T, 1));
      case SENSOR_ID_TOO_LONG -> besideGood(partition, reason, reading("s".repeat(257), T, 1));
      case INVALID_VALUE ->
          besideGood(
              partition,
              reason,
              reading(sensor(partition), T, random.nextBoolean() ? Double.NaN : 1 / 0.0));
      case INVALID_TIMESTAMP ->
          besideGood(partition, reason, reading(sensor(partition), -random.nextInt(2), 1));
      case FUTURE_TIMESTAMP ->
          besideGood(
              partition,
              reason,
              reading(sensor(partition), random.nextBoolean() ? Long.MAX_VALUE : 1L << 50, 1));
      case MISROUTED ->
          besideGood(
              partition, reason, reading(sensor((partition + 1) % SensorPartition.COUNT), T, 1));
    }
  }

  private void undecodable(int partition) {
    byte[] value =
        switch (random.nextInt(8)) {
          case 0 -> "{\"sensor\":\"temp-0001\",\"value\":21.5}".getBytes(StandardCharsets.UTF_8);
          case 1 -> new byte[] {0x0a, 9, 'g', 'a', 't'};
          case 2 -> null;
          case 3 -> new byte[] {0, 0, 0};
          case 4 -> new byte[] {0x22, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
          case 5 -> filled(50_000, (byte) 0x3b);
          case 6 -> new byte[] {0x0a, 1, (byte) 0xff};
          default -> tooMany(partition);
        };
    send(partition, RejectReason.UNDECODABLE, value);
  }

  /** The largest that the readings topic takes, its key and headers beside it. */
  void sendOversized(int partition) {
    byte[] noise = new byte[500_000];
    random.nextBytes(noise);
    noise[0] = 7;
    RecordHeaders headers = new RecordHeaders();
    headers.add("large", new byte[20_000]);
    sent.add(RejectReason.UNDECODABLE);
    acknowledged.add(
        producer.send(
            new ProducerRecord<>(
                TopicNames.DEFAULT.readings(), partition, null, noise, noise, headers)));
  }

  /** The mark of an order that is not there, or perhaps of one that comes. */
  private void forgedReset(int partition) {
    RecordHeaders headers = new RecordHeaders();
    new ResetMark(random.nextInt(3), random.nextLong(), random.nextLong()).mark(headers);
    sent.add(RejectReason.UNKNOWN_RESET);
    acknowledged.add(
        producer.send(
            new ProducerRecord<>(
                TopicNames.DEFAULT.readings(),
                partition,
                new byte[] {7},
                ResetMark.value(),
                headers)));
  }

  private static byte[] filled(int length, byte with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, with);
    return bytes;
  }

  /** One reading more than a batch may have, and 11 KB. */
  private byte[] tooMany(int partition) {
    Series.Builder series = Series.newBuilder().setSensorId(sensor(partition));
    for (int i = 0; i <= 10_000; i++) {
      series.addTimestampDeltaMs(1);
    }
    return ReadingBatch.newBuilder().addSeries(series).build().toByteArray();
  }

  private void besideGood(int partition, RejectReason reason, Reading bad) {
    int goods = 1 + random.nextInt(3);
    ReadingBatch.Builder batch = ReadingBatch.newBuilder().setGatewayId("g");
    for (int i = 0; i < goods; i++) {
      batch.addReadings(reading(sensor(partition), T + random.nextInt(50), i));
    }
    goodReadings += goods;
    send(partition, reason, batch.addReadings(random.nextInt(goods + 1), bad));
  }

  private void good(int partition, ReadingBatch.Builder batch) {
    goodReadings += batch.getReadingsCount();
    send(partition, null, batch);
  }

  private ReadingBatch.Builder sequenced(int partition, long boot, long sequence) {
    return batch(reading(sensor(partition), T, 1))
        .setGatewayId("sequenced")
        .setBootId(boot)
        .setSequence(sequence);
  }

  private static ReadingBatch.Builder batch(Reading reading) {
    return ReadingBatch.newBuilder().addReadings(reading);
  }

  private static Reading reading(String sensor, long timestampMs, double value) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(value)
        .build();
  }

  private String sensor(int partition) {
    List<String> own = sensors.get(partition);
    return own.get(random.nextInt(own.size()));
  }

  private void send(int partition, RejectReason reason, ReadingBatch.Builder batch) {
    send(partition, reason, batch.build().toByteArray());
  }

  private void send(int partition, RejectReason reason, byte[] value) {
    sent.add(reason);
    acknowledged.add(
        producer.send(
            new ProducerRecord<>(TopicNames.DEFAULT.readings(), partition, new byte[] {7}, value)));
  }

  @Override
  public void close() {
    producer.close();
  }
}
