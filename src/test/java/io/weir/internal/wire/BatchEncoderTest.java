package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchEncoderTest {
  private static final long[] ODD_TIMESTAMPS = {
    0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1_700_000_000_000L, 1_700_000_010_000L
  };
  private static final double[] ODD_VALUES = {
    0.0, -0.0, Double.MAX_VALUE, -Double.MIN_VALUE, 21.5, Double.NaN
  };

  private final BatchEncoder encoder = new BatchEncoder();

  private record Said(long timestampMs, long valueBits, int quality) {}

  @Test
  void randomBatches_parsed_areWhatWasAdded() throws Exception {
    long seed = 20261121;
    Random random = new Random(seed);
    BatchColumns columns = new BatchColumns();
    for (int history = 0; history < 3_000; history++) {
      columns.clear();
      Map<String, List<Said>> expected = addAtRandom(columns, random);
      byte[] bytes = encoder.encode("gateway-é", 42, history + 1, columns);

      ReadingBatch batch = ReadingBatch.parseFrom(bytes);
      assertThat(batch.getGatewayId()).isEqualTo("gateway-é");
      assertThat(batch.getBootId()).isEqualTo(42);
      assertThat(batch.getSequence()).isEqualTo(history + 1);
      assertThat(bySensor(batch)).as("seed %d, history %d", seed, history).isEqualTo(expected);
      assertThat(bytes).as("the shortest form").hasSize(batch.getSerializedSize());
      assertThat(bytes.length).isLessThanOrEqualTo(mostBytes(columns));
    }
  }

  @Test
  void readingsOfOneSensor_amongOthers_areOneSeriesInOrder() throws Exception {
    BatchColumns columns = new BatchColumns();
    add(columns, "a", 3_000, 1.0, Quality.GOOD);
    add(columns, "b", 1_000, 2.0, Quality.GOOD);
    add(columns, "a", 2_000, 3.0, Quality.GOOD);

    ReadingBatch batch = ReadingBatch.parseFrom(encoder.encode("g", 1, 1, columns));

    assertThat(batch.getReadingsCount()).isZero();
    assertThat(batch.getSeriesList()).extracting(Series::getSensorId).containsExactly("a", "b");
    assertThat(batch.getSeries(0).getStartTimestampMs()).isEqualTo(3_000);
    assertThat(batch.getSeries(0).getTimestampDeltaMsList()).containsExactly(0L, -1_000L);
    assertThat(batch.getSeries(0).getQualityList()).as("empty, being all good").isEmpty();
  }

  @Test
  void idsWithOneHash_areNotConfused() throws Exception {
    BatchColumns columns = new BatchColumns();
    columns.add("a", 7, 1, 1.0, Quality.GOOD);
    columns.add("b", 7, 1, 2.0, Quality.BAD);

    ReadingBatch batch = ReadingBatch.parseFrom(encoder.encode("g", 1, 1, columns));

    assertThat(batch.getSeriesList()).extracting(Series::getSensorId).containsExactly("a", "b");
  }

  @Test
  void batchWithoutGatewayBootAndSequence_isOnlyItsReadings() throws Exception {
    BatchColumns columns = new BatchColumns();
    add(columns, "a", 1, 1.0, Quality.GOOD);

    ReadingBatch batch = ReadingBatch.parseFrom(encoder.encode("", 0, 0, columns));

    assertThat(batch.getGatewayId()).isEmpty();
    assertThat(batch.getBootId()).isZero();
    assertThat(batch.getSeriesCount()).isEqualTo(1);
  }

  private static Map<String, List<Said>> addAtRandom(BatchColumns columns, Random random) {
    Map<String, List<Said>> expected = new LinkedHashMap<>();
    int sensors = 1 + random.nextInt(60);
    for (int left = random.nextInt(300); left > 0; left--) {
      String id = "sensor-" + "é".repeat(random.nextInt(3)) + random.nextInt(sensors);
      long timestampMs =
          random.nextInt(5) == 0
              ? ODD_TIMESTAMPS[random.nextInt(ODD_TIMESTAMPS.length)]
              : 1_700_000_000_000L + random.nextInt(100_000);
      double value = ODD_VALUES[random.nextInt(ODD_VALUES.length)];
      Quality quality = random.nextInt(50) == 0 ? Quality.BAD : Quality.GOOD;
      add(columns, id, timestampMs, value, quality);
      expected
          .computeIfAbsent(id, unused -> new ArrayList<>())
          .add(new Said(timestampMs, Double.doubleToRawLongBits(value), quality.number()));
    }
    return expected;
  }

  private static Map<String, List<Said>> bySensor(ReadingBatch batch) {
    Map<String, List<Said>> bySensor = new LinkedHashMap<>();
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs = Math.addExact(timestampMs, series.getTimestampDeltaMs(i));
        bySensor
            .computeIfAbsent(series.getSensorId(), unused -> new ArrayList<>())
            .add(
                new Said(
                    timestampMs,
                    Double.doubleToRawLongBits(series.getValue(i)),
                    series.getQualityCount() == 0 ? 1 : series.getQualityValue(i)));
      }
    }
    return bySensor;
  }

  private static int mostBytes(BatchColumns columns) {
    int most = BatchEncoder.mostBytesOfHeader("gateway-é".length() + 1);
    for (int i = 0; i < columns.size(); i++) {
      most += BatchEncoder.mostBytesOfReading(2 * columns.sensorId(i).length());
    }
    return most;
  }

  private static void add(
      BatchColumns columns, String id, long timestampMs, double value, Quality quality) {
    columns.add(id, Fnv1a.hash(id), timestampMs, value, quality);
  }
}
