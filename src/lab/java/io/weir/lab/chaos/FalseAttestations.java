package io.weir.lab.chaos;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Statements of completeness that must not be accepted, among some that must, all of one partition:
 * without a sequence, above a gap, repeated, of an older boot, marked as redriven, for times far
 * ahead or none, for sensors of elsewhere, unknown or without a name. Each is in a batch of its
 * own, with a reading in an open window that ends before now: one that is accepted closes it.
 */
final class FalseAttestations {
  private static final int MANY_ENTRIES = 1_000;
  private static final int LONG_ID = 300;
  private static final long FAR_AHEAD_MS = 86_400_000;

  private final String name;
  private final String gateway;
  private final int partition;
  private final long nowMs;
  private final long readMs;
  private final List<HostileRound.Attack> attacks = new ArrayList<>();
  private long sequence;
  private int sensors;

  /**
   * @param name that no other round has
   * @param partition of all its records
   * @param nowMs milliseconds since the Unix epoch
   * @param windowSizeMs of the applications
   */
  FalseAttestations(String name, int partition, long nowMs, long windowSizeMs) {
    this.name = name;
    this.gateway = name + "-attests";
    this.partition = partition;
    this.nowMs = nowMs;
    this.readMs = nowMs - 2 * windowSizeMs;
    withoutSequence();
    beyondTheFuture();
    forOthers();
    brokenPromise();
    repeatedWithAnother();
    markedAsRedriven();
    manyEntries();
    aboveGap();
    ofAnOlderBoot();
  }

  /** In the order in which they are to be sent. */
  List<HostileRound.Attack> attacks() {
    return attacks;
  }

  private void withoutSequence() {
    String sensor = sensor();
    add(batch(sensor, 0).addComplete(entry(sensor, nowMs)));
    add(batch(sensor, 1).setOrdered(true));
  }

  private void beyondTheFuture() {
    for (long throughMs :
        new long[] {Long.MAX_VALUE, nowMs + FAR_AHEAD_MS, 0, -1, Long.MIN_VALUE}) {
      String sensor = sensor();
      add(next(batch(sensor, 0).addComplete(entry(sensor, throughMs))));
      add(next(batch(sensor, 1)));
    }
    // The reading that is refused for its time is not the newest of an ordered batch.
    String sensor = sensor();
    add(next(batch(sensor, 0).addReadings(reading(sensor, nowMs + FAR_AHEAD_MS)).setOrdered(true)));
    add(next(batch(sensor, 1)));
  }

  private void forOthers() {
    ReadingBatch.Builder batch = batch(sensor(), 0);
    String elsewhere = name;
    for (int i = 0; SensorPartition.of(elsewhere) == partition; i++) {
      elsewhere = name + "-" + i;
    }
    batch.addComplete(entry(elsewhere, nowMs));
    batch.addComplete(entry(name + "-unknown", nowMs));
    batch.addComplete(entry("", nowMs));
    batch.addComplete(entry("x".repeat(LONG_ID), nowMs));
    add(next(batch));
  }

  /** This one is accepted; what it says is false. */
  private void brokenPromise() {
    String sensor = sensor();
    add(next(batch(sensor, 0).addComplete(entry(sensor, nowMs))));
    add(next(batch(sensor, 0)));
  }

  /** A duplicate attests nothing, whatever it says. */
  private void repeatedWithAnother() {
    String sensor = sensor();
    add(next(batch(sensor, 0)));
    add(sequenced(batch(sensor, 0).addComplete(entry(sensor, nowMs)), sequence));
    add(next(batch(sensor, 1)));
  }

  private void markedAsRedriven() {
    String sensor = sensor();
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin(name, partition, 7));
    ReadingBatch.Builder batch = next(batch(sensor, 0).addComplete(entry(sensor, nowMs)));
    attacks.add(new HostileRound.Attack(batch.build().toByteArray(), headers));
    add(next(batch(sensor, 1)));
  }

  private void manyEntries() {
    String sensor = sensor();
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (int i = 0; i < MANY_ENTRIES; i++) {
      batch.addComplete(entry(sensor, nowMs - MANY_ENTRIES + i));
    }
    add(next(batch));
  }

  /** Last: the gap stays for some of what follows it. */
  private void aboveGap() {
    String sensor = sensor();
    long missing = ++sequence;
    add(next(batch(sensor, 0).addComplete(entry(sensor, nowMs))));
    add(sequenced(batch(sensor, -1), missing));
    add(next(batch(sensor, 1)));
  }

  private void ofAnOlderBoot() {
    String sensor = sensor();
    add(next(batch(sensor, 0)).setBootId(boot() + 1).setSequence(1));
    add(next(batch(sensor, 0).addComplete(entry(sensor, nowMs))));
  }

  private long boot() {
    return nowMs << 20;
  }

  /** Of this partition, another one each time. */
  private String sensor() {
    String id;
    do {
      id = name + "-attested-" + sensors++;
    } while (SensorPartition.of(id) != partition);
    return id;
  }

  private ReadingBatch.Builder batch(String sensor, long laterMs) {
    return ReadingBatch.newBuilder().addReadings(reading(sensor, readMs + laterMs));
  }

  private ReadingBatch.Builder next(ReadingBatch.Builder batch) {
    return sequenced(batch, ++sequence);
  }

  private ReadingBatch.Builder sequenced(ReadingBatch.Builder batch, long sequence) {
    return batch.setGatewayId(gateway).setBootId(boot()).setSequence(sequence);
  }

  private void add(ReadingBatch.Builder batch) {
    attacks.add(new HostileRound.Attack(batch.build().toByteArray(), new RecordHeaders()));
  }

  private static Completeness entry(String sensor, long throughMs) {
    return Completeness.newBuilder().setSensorId(sensor).setThroughMs(throughMs).build();
  }

  private static Reading reading(String sensor, long timestampMs) {
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(timestampMs)
        .setValue(2.5)
        .build();
  }
}
