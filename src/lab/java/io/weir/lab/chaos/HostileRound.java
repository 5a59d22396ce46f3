package io.weir.lab.chaos;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.wire.ResetMark;
import io.weir.lab.SeededChance;
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
  private static final int SENSORS_A_BATCH = 1_000;
  private static final int NEW_GATEWAYS = 300;
  private static final int COLLIDING = 3_000;
  private static final int EMPTY_SERIES = 9_000;
  private static final int TOO_MANY_SERIES = 20_000;
  private static final int NEW_SENSORS_OF_ONE = 1_500;
  private static final int TOO_MANY_WINDOWS = 2_000;
  private static final int WINDOWS = 1_000;
  private static final int LARGE_BYTES = 3 << 19;
  private static final int BOMB_BYTES = 5 << 20;
  private static final int HEADERS = 100;
  private static final int HEADER_BYTES = 2_000;
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

  /**
   * A record to send.
   *
   * @param compressed whether it travels in a batch of its own, zeros as few bytes
   */
  record Attack(byte[] value, Headers headers, boolean compressed) {
    Attack(byte[] value, Headers headers) {
      this(value, headers, false);
    }
  }

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
    // First: the others use up what a partition may hold.
    attacks.addAll(new FalseAttestations(name, partition, nowMs, windowSizeMs).attacks());
    newSensors();
    newSensorsOfOneGateway();
    fencedForEver();
    sequencesUsedUp();
    newGateways();
    collidingSensors();
    emptySeries(EMPTY_SERIES);
    emptySeries(TOO_MANY_SERIES);
    manyWindows("long", WINDOWS, windowSizeMs);
    manyWindows("longer", TOO_MANY_WINDOWS, windowSizeMs);
    highestBoots();
    forgedHeaders();
    forgedResets();
    forgedMarker();
    manyHeaders();
    attacks.add(new Attack(new byte[LARGE_BYTES], new RecordHeaders(), true));
    attacks.add(new Attack(new byte[BOMB_BYTES], new RecordHeaders(), true));
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
    List<String> ids = sensors("many", NEW_SENSORS);
    for (int from = 0; from < NEW_SENSORS; from += SENSORS_A_BATCH) {
      add(batchOf(ids.subList(from, from + SENSORS_A_BATCH)));
    }
  }

  /** No more of them than a batch may open windows. */
  private ReadingBatch.Builder batchOf(List<String> ids) {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    ids.forEach(id -> batch.addReadings(reading(id, nowMs)));
    return batch;
  }

  /** More than one gateway may have, in all room that is left. */
  private void newSensorsOfOneGateway() {
    List<String> ids = sensors("own", NEW_SENSORS_OF_ONE);
    int half = NEW_SENSORS_OF_ONE / 2;
    for (int batch = 0; batch < 2; batch++) {
      add(
          batchOf(ids.subList(batch * half, (batch + 1) * half))
              .setGatewayId(name + "-own")
              .setBootId(nowMs << 20)
              .setSequence(batch + 1));
    }
  }

  /** Boots as far ahead as they may be: the real one, of now, is refused from then on. */
  private void fencedForEver() {
    for (int i = 0; i < 5; i++) {
      add(boot("-fenced", nowMs + 1_000 * (i + 1)).setSequence(1));
    }
    add(boot("-fenced", nowMs).setSequence(1));
  }

  /** In the largest steps; what the real gateway sends is below all that is remembered. */
  private void sequencesUsedUp() {
    for (long sequence = 1; sequence < 1 << 23; sequence += 1 << 20) {
      add(boot("-used", nowMs).setSequence(sequence));
    }
    add(boot("-used", nowMs).setSequence(2));
    add(boot("-used", nowMs).setSequence(Long.MAX_VALUE));
  }

  private ReadingBatch.Builder boot(String suffix, long bootMs) {
    return good().setGatewayId(name + suffix).setBootId(bootMs << 20);
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

  private void manyWindows(String kind, int windows, long windowSizeMs) {
    Series.Builder series =
        Series.newBuilder()
            .setSensorId(sensors(kind, 1).get(0))
            .setStartTimestampMs(nowMs - windows * windowSizeMs);
    for (int i = 0; i < windows; i++) {
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

  /** Marks of orders that are there, or may be, with another nonce; and headers that are none. */
  private void forgedResets() {
    for (long order = 0; order < 50; order++) {
      Headers headers = new RecordHeaders();
      new ResetMark(order % 10 - 1, chance.bits(order), 0).mark(headers);
      attacks.add(new Attack(ResetMark.value(), headers));
    }
    for (int bytes : new int[] {0, 8, 25}) {
      Headers headers = new RecordHeaders().add(ResetMark.HEADER, new byte[bytes]);
      attacks.add(new Attack(ResetMark.value(), headers));
    }
  }

  /** As if a batch of records had been too large to be decompressed. */
  private void forgedMarker() {
    attacks.add(new Attack(null, new RecordHeaders().add("weir.oversized-batch", new byte[16])));
  }

  private void manyHeaders() {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < HEADERS; i++) {
      headers.add("many", new byte[HEADER_BYTES]);
    }
    attacks.add(new Attack(good().build().toByteArray(), headers));
    attacks.add(new Attack(new byte[] {7, 7, 7}, headers));
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
