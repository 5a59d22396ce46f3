package io.weir.lab.chaos;

import com.google.protobuf.ByteString;
import io.weir.lab.SeededChance;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One of everything that is refused, for one partition, each beside good readings; and batches that
 * must be accepted although they look odd. One thread.
 */
final class PoisonRound {
  private static final long FAR_AHEAD_MS = 3_600_000;
  private static final int TOO_LONG_ID = 300;
  private static final int TOO_MANY_READINGS = 10_001;
  private static final int TOO_DEEP = 200;

  private final String name;
  private final int partition;
  private final long nowMs;
  private final String sensor;
  private final String stranger;
  private final List<byte[]> records = new ArrayList<>();

  /**
   * @param name that no other round has
   * @param nowMs milliseconds since the Unix epoch
   */
  PoisonRound(String name, SeededChance chance, long nowMs) {
    this.name = name;
    this.nowMs = nowMs;
    this.partition = chance.below(SensorPartition.COUNT, 0);
    this.sensor = sensorOf(partition);
    this.stranger = sensorOf((partition + 1) % SensorPartition.COUNT);
    undecodable();
    framed();
    wrongBatches();
    fenced();
    stale();
    wrongReadings();
    brokenSeries();
  }

  int partition() {
    return partition;
  }

  /** The records' values in the order in which they are to be sent; null for a tombstone. */
  List<byte[]> records() {
    return records;
  }

  private String sensorOf(int of) {
    int suffix = 0;
    while (SensorPartition.of(name + "-" + suffix) != of) {
      suffix++;
    }
    return name + "-" + suffix;
  }

  private void undecodable() {
    records.add(null);
    records.add("{\"sensor\":\"temp-1\",\"value\":21.5}".getBytes(StandardCharsets.UTF_8));
    records.add(new byte[] {0x0a, 0x09, 'g', 'a', 't'});
    records.add(new byte[] {0x07, (byte) 0xff, 0x13, 0x37});
    records.add(new byte[] {0, 0, 0});
    records.add(new byte[] {0x0a, 0x02, (byte) 0xff, (byte) 0xfe});
    byte[] groups = new byte[TOO_DEEP];
    Arrays.fill(groups, (byte) 0x3b);
    records.add(groups);
    ReadingBatch.Builder many = ReadingBatch.newBuilder();
    for (int i = 0; i < TOO_MANY_READINGS; i++) {
      many.addReadings(Reading.getDefaultInstance());
    }
    records.add(many.build().toByteArray());
  }

  private void framed() {
    records.add(frame(new byte[] {2, 2}, good().build()));
    records.add(frame(new byte[] {0}, good().build()));
    records.add(frame(new byte[] {2, 0}, good().build()));
  }

  private static byte[] frame(byte[] indexes, ReadingBatch batch) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, 7});
    out.writeBytes(indexes);
    out.writeBytes(batch.toByteArray());
    return out.toByteArray();
  }

  private void wrongBatches() {
    add(good().setBootId(3).setSequence(1));
    add(good().setGatewayId("g".repeat(TOO_LONG_ID)));
    add(named("a").setBootId(3));
    add(named("a").setBootId(-3).setSequence(1));
    add(named("a").setBootId(3).setSequence(-1));
    add(named("a").setBootId(3).setSequence((1 << 20) + 1));
    ReadingBatch once = named("b").setBootId(3).setSequence(1).build();
    records.add(once.toByteArray());
    records.add(once.toByteArray());
    add(named("h").setBootId((nowMs + FAR_AHEAD_MS) << 20).setSequence(1));
  }

  private void fenced() {
    for (int boot = 1; boot <= 5; boot++) {
      add(named("c").setBootId(boot).setSequence(1));
    }
    add(named("c").setBootId(1).setSequence(2));
    add(named("c").setBootId(1).setSequence(1)); // It has counted.
  }

  private void stale() {
    add(named("d").setBootId(1).setSequence(1));
    add(named("d").setBootId(1).setSequence(1200));
    add(named("d").setBootId(1).setSequence(100));
    add(named("d").setBootId(1).setSequence(1000));
  }

  private void wrongReadings() {
    ReadingBatch.Builder batch = named("e").setBootId(1).setSequence(1);
    batch.addReadings(reading("", nowMs, 1));
    batch.addReadings(reading("s".repeat(TOO_LONG_ID), nowMs, 1));
    batch.addReadings(reading(sensor, nowMs, Double.NaN));
    batch.addReadings(reading(sensor, nowMs, Double.NEGATIVE_INFINITY));
    for (long timestampMs : new long[] {0, -1, Long.MIN_VALUE}) {
      batch.addReadings(reading(sensor, timestampMs, 1));
    }
    batch.addReadings(reading(sensor, nowMs + FAR_AHEAD_MS, 1));
    batch.addReadings(reading(sensor, Long.MAX_VALUE, 1));
    batch.addReadings(reading(stranger, nowMs, 1));
    batch.addReadings(reading(sensor, nowMs, -0.0));
    add(batch);
  }

  private void brokenSeries() {
    Series.Builder uneven =
        Series.newBuilder().setSensorId(sensor).setStartTimestampMs(nowMs).addTimestampDeltaMs(0);
    Series.Builder overflowing =
        Series.newBuilder()
            .setSensorId(sensor)
            .setStartTimestampMs(Long.MAX_VALUE)
            .addTimestampDeltaMs(1)
            .addValue(1);
    add(named("f").setBootId(1).setSequence(1).addSeries(uneven).addSeries(overflowing));
    add(good().setUnknownFields(unknown()));
  }

  /** A field that a later version may have. */
  private static com.google.protobuf.UnknownFieldSet unknown() {
    return com.google.protobuf.UnknownFieldSet.newBuilder()
        .addField(
            99,
            com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8("later"))
                .build())
        .build();
  }

  private void add(ReadingBatch.Builder batch) {
    records.add(batch.build().toByteArray());
  }

  private ReadingBatch.Builder named(String suffix) {
    return good().setGatewayId(name + "-" + suffix);
  }

  private ReadingBatch.Builder good() {
    return ReadingBatch.newBuilder().addReadings(reading(sensor, nowMs, 3.25));
  }

  private static Reading reading(String sensor, long timestampMs, double value) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(value)
        .build();
  }
}
