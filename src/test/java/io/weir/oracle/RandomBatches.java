package io.weir.oracle;

import io.weir.topic.SensorPartition;
import io.weir.v1.Completeness;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Batches of a small fleet of one partition with all its faults, out of one random source. Times
 * are within half a second of the time that is given, but for those that are meant to be wrong.
 */
public final class RandomBatches {
  private static final String[] GATEWAYS = {"gw-a", "gw-b", "шлюз"};

  private static final int SENSORS = 2;

  /** A boot id is the clock time of the start in milliseconds, shifted left by so many bits. */
  private static final int BOOT_TIME_SHIFT = 20;

  private final Random random;
  private final long[] boots = {1, 1, 1};
  private final long[] sequences = new long[GATEWAYS.length];
  private final List<ReadingBatch> sent = new ArrayList<>();

  /** Each sensor's clock: its distance to the append time. */
  private final long[] skewMs = new long[SENSORS];

  private final List<String> sensors;

  /** One of that partition that never reports. */
  private final String unknown;

  private final String stranger;
  private boolean attesting;

  /** Whether boot ids are times, as gateways make them, or small numbers. */
  private final boolean timed;

  private boolean starts;

  /** The id of a gateway that sends. */
  public String gateway() {
    return GATEWAYS[random.nextInt(GATEWAYS.length)];
  }

  /** Of the sensors of that partition. */
  public RandomBatches(Random random, int partition) {
    this.random = random;
    this.sensors = sensorsOf(partition, "sensor-");
    this.stranger = sensorsOf((partition + 1) % SensorPartition.COUNT, "sensor-").get(0);
    this.unknown = sensorsOf(partition, "unknown-").get(0);
    this.timed = random.nextInt(3) == 0;
  }

  /** Some batches say from now on, rightly or not, up to when sensors are complete. */
  public void attest() {
    attesting = true;
  }

  /** The next gateway that sends starts before. */
  public void start() {
    starts = true;
  }

  public ReadingBatch next(long nowMs) {
    if (!sent.isEmpty() && random.nextInt(8) == 0) {
      return sent.get(random.nextInt(sent.size()));
    }
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    int gateway = random.nextInt(GATEWAYS.length);
    name(batch, gateway, nowMs);
    if (random.nextInt(10) == 0) {
      skewMs[random.nextInt(skewMs.length)] = random.nextInt(400) - 200;
    }
    int parts = random.nextInt(6);
    for (int i = 0; i < parts; i++) {
      if (random.nextBoolean()) {
        batch.addReadings(row(nowMs));
      } else {
        batch.addSeries(series(nowMs));
      }
    }
    if (random.nextInt(6) == 0) {
      repeat(batch);
    }
    if (attesting && random.nextBoolean()) {
      attest(batch, nowMs);
    }
    ReadingBatch built = batch.build();
    if (built.getBootId() > 0) {
      sent.add(built);
    }
    return built;
  }

  /** A single reading once more that another batch of the same boot has: that is no repeat. */
  private void repeat(ReadingBatch.Builder batch) {
    List<Reading> before =
        sent.stream()
            .filter(each -> each.getGatewayId().equals(batch.getGatewayId()))
            .filter(each -> each.getBootId() == batch.getBootId())
            .flatMap(each -> each.getReadingsList().stream())
            .toList();
    if (!before.isEmpty()) {
      batch.addReadings(before.get(random.nextInt(before.size())));
    }
  }

  private void attest(ReadingBatch.Builder batch, long nowMs) {
    batch.setOrdered(random.nextInt(3) == 0);
    for (int i = random.nextInt(4); i > 0; i--) {
      int sensor = random.nextInt(SENSORS);
      Completeness.Builder entry =
          Completeness.newBuilder()
              .setSensorId(sensors.get(sensor))
              .setThroughMs(Math.max(1, nowMs + skewMs[sensor] - random.nextInt(60)));
      switch (random.nextInt(20)) {
        case 0 -> entry.setSensorId("");
        case 1 -> entry.setSensorId(stranger);
        case 2 -> entry.setSensorId(unknown);
        case 3 -> entry.setThroughMs(-random.nextInt(2));
        case 4 -> entry.setThroughMs(nowMs + 300_000 + random.nextInt(2));
        case 5 -> entry.setThroughMs(nowMs + random.nextInt(300));
        default -> {}
      }
      batch.addComplete(entry);
    }
  }

  private void name(ReadingBatch.Builder batch, int gateway, long nowMs) {
    batch.setGatewayId(GATEWAYS[gateway]);
    switch (random.nextInt(30)) {
      case 0 -> batch.setGatewayId("").setBootId(3).setSequence(1);
      case 1 -> batch.setBootId(boots[gateway]);
      case 2 -> batch.setBootId(boots[gateway]).setSequence(1L << (40 + random.nextInt(24)));
      case 3, 4, 5, 6 -> batch.setGatewayId(random.nextBoolean() ? "" : "unsequenced");
      default -> {
        if (starts || random.nextInt(12) == 0) {
          starts = false;
          boots[gateway] =
              timed ? Math.max(boots[gateway] + 1, nowMs << BOOT_TIME_SHIFT) : boots[gateway] + 1;
          sequences[gateway] = 0;
        }
        long skipped = random.nextInt(10) == 0 ? random.nextInt(3) * 700L : 0;
        sequences[gateway] += 1 + skipped;
        boolean back = skipped > 0 && random.nextBoolean();
        batch
            .setBootId(boots[gateway])
            .setSequence(back ? sequences[gateway] - 1 : sequences[gateway]);
      }
    }
  }

  private static List<String> sensorsOf(int partition, String prefix) {
    return IntStream.iterate(0, n -> n + 1)
        .mapToObj(n -> prefix + n)
        .filter(id -> SensorPartition.of(id) == partition)
        .limit(SENSORS)
        .toList();
  }

  private Reading row(long nowMs) {
    int sensor = random.nextInt(SENSORS);
    Reading.Builder row =
        Reading.newBuilder()
            .setSensorId(sensors.get(sensor))
            .setTimestampMs(nowMs + skewMs[sensor] - random.nextInt(30))
            .setValue(value())
            .setQuality(quality());
    switch (random.nextInt(40)) {
      case 0 -> row.setSensorId("");
      case 1 -> row.setSensorId(stranger);
      case 2 -> row.setTimestampMs(-random.nextInt(2));
      case 3 -> row.setTimestampMs(nowMs + 400_000);
      case 4 -> row.setValue(Double.NaN);
      case 5 -> row.setTimestampMs(Math.max(1, nowMs - random.nextInt(100_000)));
      default -> {}
    }
    return row.build();
  }

  private Series series(long nowMs) {
    int sensor = random.nextInt(SENSORS);
    int length = random.nextInt(8);
    boolean qualities = random.nextInt(4) == 0;
    Series.Builder series =
        Series.newBuilder()
            .setSensorId(sensors.get(sensor))
            .setStartTimestampMs(nowMs + skewMs[sensor]);
    for (int i = 0; i < length; i++) {
      series.addTimestampDeltaMs(random.nextInt(12) - 6);
      series.addValue(random.nextInt(60) == 0 ? Double.POSITIVE_INFINITY : value());
      if (qualities) {
        series.addQuality(quality());
      }
    }
    return series.build();
  }

  private double value() {
    return switch (random.nextInt(40)) {
      case 0, 1 -> -0.0;
      // Of any magnitude, so that a sum of two doubles is not enough.
      case 2 -> Math.scalb(random.nextGaussian(), random.nextInt(2_090) - 1_070);
      default -> random.nextGaussian() * 100 + 1_000;
    };
  }

  private Quality quality() {
    return switch (random.nextInt(10)) {
      case 0 -> Quality.QUALITY_BAD;
      case 1 -> Quality.QUALITY_UNCERTAIN;
      case 2 -> Quality.QUALITY_GOOD;
      default -> Quality.QUALITY_UNSPECIFIED;
    };
  }
}
