package io.weir.dev.chaos;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.dev.SeededChance;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * What a gateway may send that means harm, all of it to one partition: each record is taken or
 * refused by the rules, and costs its neighbours nothing. One thread.
 */
final class HostileRound {
  private static final int NEW_SENSORS = 4_000;
  private static final int NEW_GATEWAYS = 300;
  private static final int COLLIDING = 3_000;
  private static final int EMPTY_SERIES = 9_000;
  private static final int TOO_MANY_SERIES = 20_000;
  private static final int WINDOWS = 2_000;
  private static final long HIGHEST_BOOT = Long.MAX_VALUE - 8;

  /** Those of {@code IdBytes.hash}, as it was when it could be inverted. */
  private static final long MIX_1 = 0xff51afd7ed558ccdL;

  private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private final String name;
  private final SeededChance chance;
  private final long nowMs;
  private final int partition;
  private final String sensor;
  private final List<Attack> attacks = new ArrayList<>();

  /** A record to send. */
  record Attack(byte[] value, Headers headers) {}

  /**
   * Makes the records.
   *
   * @param name that no other round has
   * @param nowMs milliseconds since the Unix epoch
   * @param windowSizeMs of the applications
   */
  HostileRound(String name, SeededChance chance, long nowMs, long windowSizeMs) {
    this.name = name;
    this.chance = chance;
    this.nowMs = nowMs;
    this.partition = chance.below(SensorPartition.COUNT, 0);
    this.sensor = sensors("one", 1).get(0);
    newSensors();
    newGateways();
    collidingSensors();
    emptySeries(EMPTY_SERIES);
    emptySeries(TOO_MANY_SERIES);
    manyWindows(windowSizeMs);
    highestBoots();
    forgedHeaders();
  }

  int partition() {
    return partition;
  }

  /** In the order in which they are to be sent. */
  List<Attack> attacks() {
    return attacks;
  }

  private List<String> sensors(String kind, int count) {
    List<String> ids = new ArrayList<>();
    for (int suffix = 0; ids.size() < count; suffix++) {
      String id = name + "-" + kind + "-" + suffix;
      if (SensorPartition.of(id) == partition) {
        ids.add(id);
      }
    }
    return ids;
  }

  private void newSensors() {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    sensors("many", NEW_SENSORS).forEach(id -> batch.addReadings(reading(id, nowMs)));
    add(batch);
  }

  private void newGateways() {
    for (int i = 0; i < NEW_GATEWAYS; i++) {
      add(ReadingBatch.newBuilder().setGatewayId(name + "-" + i).setBootId(1).setSequence(1));
    }
  }

  /** Ids of 16 bytes with one and the same unkeyed hash; most are sensors of other partitions. */
  private void collidingSensors() {
    long wanted = chance.bits(1);
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (long i = 0; batch.getReadingsCount() < COLLIDING; i++) {
      long first = chance.bits(1_000 + i) & ~HIGH_BITS;
      long second = unmix(wanted) ^ mix(16 * MIX_1 ^ first);
      if ((second & HIGH_BITS) == 0) {
        batch.addReadings(reading(text(first, second), nowMs));
      }
    }
    add(batch);
  }

  private static String text(long first, long second) {
    ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    return new String(bytes.putLong(first).putLong(second).array(), StandardCharsets.US_ASCII);
  }

  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * MIX_1;
    mixed = (mixed ^ (mixed >>> 33)) * MIX_2;
    return mixed ^ (mixed >>> 33);
  }

  private static long unmix(long mixed) {
    long bits = (mixed ^ (mixed >>> 33)) * inverse(MIX_2);
    bits = (bits ^ (bits >>> 33)) * inverse(MIX_1);
    return bits ^ (bits >>> 33);
  }

  /** Of an odd number, modulo 2^64, by Newton's iteration. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  private void emptySeries(int count) {
    byte[] value = new byte[2 * count];
    for (int i = 0; i < value.length; i += 2) {
      value[i] = 0x2a;
    }
    attacks.add(new Attack(value, new RecordHeaders()));
  }

  private void manyWindows(long windowSizeMs) {
    Series.Builder series =
        Series.newBuilder()
            .setSensorId(sensors("long", 1).get(0))
            .setStartTimestampMs(nowMs - WINDOWS * windowSizeMs);
    for (int i = 0; i < WINDOWS; i++) {
      series.addTimestampDeltaMs(windowSizeMs).addValue(i);
    }
    add(ReadingBatch.newBuilder().addSeries(series));
  }

  private void highestBoots() {
    for (int i = 0; i < 5; i++) {
      add(good().setGatewayId(name + "-high").setBootId(HIGHEST_BOOT + i).setSequence(1));
    }
    add(good().setGatewayId(name + "-high").setBootId(nowMs << 20).setSequence(1));
  }

  /** Of a batch, of what is late, and of what is refused. */
  private void forgedHeaders() {
    Headers forged = new RecordHeaders();
    for (String header :
        Arrays.asList(
            "weir.tick",
            DeadLetterHeaders.REASON,
            DeadLetterHeaders.GATEWAY,
            DeadLetterHeaders.SIZE,
            DeadLetterHeaders.BOOT_ID,
            DeadLetterHeaders.SEQUENCE,
            DeadLetterHeaders.REDRIVE_TOPIC,
            DeadLetterHeaders.REDRIVE_PARTITION,
            DeadLetterHeaders.REDRIVE_OFFSET,
            DeadLetterHeaders.TOPIC,
            DeadLetterHeaders.PARTITION,
            DeadLetterHeaders.OFFSET)) {
      forged.add(header, "7".getBytes(StandardCharsets.UTF_8));
    }
    ReadingBatch.Builder mixed = good();
    mixed.addReadings(reading(sensor, 1));
    mixed.addReadings(reading(sensor, -1));
    attacks.add(new Attack(mixed.build().toByteArray(), forged));
    attacks.add(new Attack(new byte[] {7, 7, 7}, forged));
  }

  private void add(ReadingBatch.Builder batch) {
    attacks.add(new Attack(batch.build().toByteArray(), new RecordHeaders()));
  }

  private ReadingBatch.Builder good() {
    return ReadingBatch.newBuilder().addReadings(reading(sensor, nowMs));
  }

  private static Reading reading(String sensor, long timestampMs) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(1.5)
        .build();
  }
}
