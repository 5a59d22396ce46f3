package io.weir.lab.chaos;

import io.weir.lab.SeededChance;
import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A gateway in another language whose sensors report in the order of time, and that says so: most
 * of its batches attest that their sensors are complete, in either form. By its seed it also does
 * what breaks that: it sends batches late, twice or never, and readings that are older than what it
 * has attested. One thread.
 */
final class AttestingGateway {
  private static final int SENSORS_OF_A_PARTITION = 10;
  private static final int OLDEST_MS = 20_000;
  private static final int HELD_BACK_IN = 150;
  private static final int NEVER_SENT_IN = 3_000;
  private static final int SENT_TWICE_IN = 100;
  private static final int OLD_READING_IN = 200;

  /** Takes what is to be sent to a partition. */
  interface Sender {
    void send(int partition, byte[] value) throws IOException;
  }

  private record Held(int partition, ReadingBatch batch) {}

  private final String id;
  private final long bootId;
  private final SeededChance chance;
  private final Sender sender;
  private final List<List<String>> sensors = new ArrayList<>();
  private final long[] sequences = new long[SensorPartition.COUNT];
  private final List<Held> heldBack = new ArrayList<>();
  private long batches;
  private long newestMs;

  /**
   * @param bootId larger than those of earlier starts
   */
  AttestingGateway(String id, long bootId, SeededChance chance, Sender sender) {
    this.id = id;
    this.bootId = bootId;
    this.chance = chance;
    this.sender = sender;
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      sensors.add(new ArrayList<>());
    }
    int missing = SensorPartition.COUNT * SENSORS_OF_A_PARTITION;
    for (int number = 0; missing > 0; number++) {
      String sensor = id + "/" + number;
      List<String> ofPartition = sensors.get(SensorPartition.of(sensor));
      if (ofPartition.size() < SENSORS_OF_A_PARTITION) {
        ofPartition.add(sensor);
        missing--;
      }
    }
  }

  /** Sends a batch of the next partition: a reading of each of its sensors. */
  void speak(long clockMs) throws IOException {
    newestMs = Math.max(newestMs, clockMs);
    int partition = (int) (batches % SensorPartition.COUNT);
    ReadingBatch batch = next(partition);
    batches++;
    if (oneIn(NEVER_SENT_IN, 1)) {
      return;
    }
    if (oneIn(HELD_BACK_IN, 2)) {
      heldBack.add(new Held(partition, batch));
      return;
    }
    sender.send(partition, batch.toByteArray());
    if (oneIn(SENT_TWICE_IN, 3)) {
      sender.send(partition, batch.toByteArray());
    }
    if (!heldBack.isEmpty() && oneIn(HELD_BACK_IN, 4)) {
      Held late = heldBack.remove(0);
      sender.send(late.partition(), late.batch().toByteArray());
    }
  }

  private ReadingBatch next(int partition) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder()
            .setGatewayId(id)
            .setBootId(bootId)
            .setSequence(++sequences[partition]);
    int kind = chance.below(10, batches);
    boolean entriesAlone = kind == 9;
    for (String sensor : sensors.get(partition)) {
      if (!entriesAlone) {
        batch.addReadings(reading(sensor));
      }
      if (kind >= 6 && kind != 8) {
        batch.addComplete(Completeness.newBuilder().setSensorId(sensor).setThroughMs(newestMs));
      }
    }
    return batch.setOrdered(kind < 6).build();
  }

  private Reading reading(String sensor) {
    long number = batches * SENSORS_OF_A_PARTITION + sensor.hashCode();
    boolean old = chance.below(OLD_READING_IN, ~number) == 0;
    long behindMs = old ? 1 + chance.below(OLDEST_MS, number) : 0;
    return Reading.newBuilder()
        .setSensorId(sensor)
        .setTimestampMs(newestMs - behindMs)
        .setValue(chance.signed(number))
        .build();
  }

  private boolean oneIn(int many, int kind) {
    return chance.below(many, batches * 8 + kind) == 0;
  }
}
