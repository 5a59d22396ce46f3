package io.weir.lab.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.List;

/** A batch of readings as a row says. Stateless. */
final class HostileReadings {
  private static final long DAY_MS = 86_400_000;
  private static final int MOST_BYTES = 8 << 20;

  private HostileReadings() {}

  static byte[] message(HostileRow row, HostileIds ids, long nowMs) {
    ReadingBatch.Builder batch =
        ReadingBatch.newBuilder()
            .setGatewayId(HostileRecord.gatewayId(row))
            .setBootId(HostileRecord.bootId(row, nowMs))
            .setSequence(HostileRecord.sequence(row))
            .setOrdered(row.is(HostilePart.ORDERED, "yes"));
    int readings = count(row.level(HostilePart.READINGS));
    for (int i = 0; i < fitting(readings, row); i++) {
      batch.addReadings(reading(row, ids, nowMs, i));
    }
    addSeries(batch, row, ids, nowMs);
    int complete = count(row.level(HostilePart.COMPLETE));
    for (int i = 0; i < fitting(complete, row); i++) {
      batch.addComplete(
          Completeness.newBuilder()
              .setSensorId(sensorId(row, ids, i))
              .setThroughMs(timestampMs(row, nowMs, i)));
    }
    return batch.build().toByteArray();
  }

  private static int count(String level) {
    return level.equals("none") ? 0 : Integer.parseInt(level.replace(",", ""));
  }

  private static int fitting(int count, HostileRow row) {
    return row.is(HostilePart.SENSOR_ID, "600 kB")
        ? Math.min(count, 2)
        : row.is(HostilePart.SENSOR_ID, "256 bytes") ? Math.min(count, MOST_BYTES / 300) : count;
  }

  private static Reading reading(HostileRow row, HostileIds ids, long nowMs, int number) {
    Reading.Builder reading =
        Reading.newBuilder()
            .setTimestampMs(timestampMs(row, nowMs, number))
            .setValue(value(row, number))
            .setQualityValue(quality(row));
    if (row.is(HostilePart.SENSOR_ID, "no UTF-8")) {
      ByteString bytes = ByteString.copyFrom(new byte[] {(byte) 0xff, (byte) 0xc0});
      return reading
          .setUnknownFields(
              UnknownFieldSet.newBuilder()
                  .addField(
                      Reading.SENSOR_ID_FIELD_NUMBER,
                      Field.newBuilder().addLengthDelimited(bytes).build())
                  .build())
          .build();
    }
    return reading.setSensorId(sensorId(row, ids, number)).build();
  }

  private static void addSeries(
      ReadingBatch.Builder batch, HostileRow row, HostileIds ids, long nowMs) {
    switch (row.level(HostilePart.SERIES)) {
      case "none" -> {}
      case "3" -> batch.addSeries(series(row, ids, nowMs, 3, 3));
      case "9,000" -> batch.addSeries(series(row, ids, nowMs, 9_000, 9_000));
      case "of two lengths" -> batch.addSeries(series(row, ids, nowMs, 5, 3));
      case "20,000 empty" -> {
        for (int i = 0; i < 20_000; i++) {
          batch.addSeries(Series.getDefaultInstance());
        }
      }
      default -> throw HostileRecord.unknown(row, HostilePart.SERIES);
    }
  }

  private static Series series(HostileRow row, HostileIds ids, long nowMs, int times, int values) {
    long delta =
        switch (row.level(HostilePart.SERIES_TIMES)) {
          case "steps" -> 1;
          case "far back" -> -DAY_MS;
          case "overflow" -> Long.MAX_VALUE;
          default -> throw HostileRecord.unknown(row, HostilePart.SERIES_TIMES);
        };
    Series.Builder series =
        Series.newBuilder()
            .setSensorId(sensorId(row, ids, 0))
            .setStartTimestampMs(timestampMs(row, nowMs, 0) - times);
    for (int i = 0; i < times; i++) {
      series.addTimestampDeltaMs(delta);
    }
    for (int i = 0; i < values; i++) {
      series.addValue(value(row, i));
      if (!row.is(HostilePart.QUALITY, "none")) {
        series.addQualityValue(quality(row));
      }
    }
    return series.build();
  }

  private static String sensorId(HostileRow row, HostileIds ids, int number) {
    return switch (row.level(HostilePart.SENSOR_ID)) {
      case "one", "no UTF-8" -> ids.get(0);
      case "empty" -> "";
      case "256 bytes" -> ids.ofBytes(256);
      case "600 kB" -> ids.ofBytes(600_000);
      case "all different" -> ids.get(number);
      default -> throw HostileRecord.unknown(row, HostilePart.SENSOR_ID);
    };
  }

  private static long timestampMs(HostileRow row, long nowMs, int number) {
    return switch (row.level(HostilePart.TIMESTAMP)) {
      case "now" -> nowMs;
      case "0" -> 0;
      case "-1" -> -1;
      case "2^63 - 1" -> Long.MAX_VALUE;
      case "a day apart" -> nowMs - number % 15_000 * DAY_MS;
      default -> throw HostileRecord.unknown(row, HostilePart.TIMESTAMP);
    };
  }

  private static double value(HostileRow row, int number) {
    return switch (row.level(HostilePart.VALUE)) {
      case "1" -> 1;
      case "NaN" -> Double.NaN;
      case "largest and infinite" ->
          List.of(Double.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY).get(number % 3);
      default -> throw HostileRecord.unknown(row, HostilePart.VALUE);
    };
  }

  private static int quality(HostileRow row) {
    return switch (row.level(HostilePart.QUALITY)) {
      case "none" -> 0;
      case "bad" -> 3;
      case "77" -> 77;
      default -> throw HostileRecord.unknown(row, HostilePart.QUALITY);
    };
  }
}
