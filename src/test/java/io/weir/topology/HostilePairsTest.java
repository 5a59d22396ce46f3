package io.weir.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;

/**
 * Each part of a record as small and as large as it can be, each pair of such parts in one record
 * at least: the neighbour's readings count, what comes out is a few times what came in, and each
 * dead letter is one that a broker takes.
 */
class HostilePairsTest {
  private static final long T = RejectionFixture.T;
  private static final int MOST_BYTES = 1 << 20;

  /** What a part may be; the first is the usual. A field of a batch without a part fails. */
  private enum Part {
    KEY(3),
    HEADERS(4),
    FRAME(3),
    GATEWAY_ID(4),
    BOOT_ID(3),
    SEQUENCE(3),
    READINGS(3),
    SERIES(4),
    SENSOR_ID(4),
    TIMESTAMP(4),
    VALUE(3),
    COMPLETE(3),
    ORDERED(2),
    UNKNOWN_FIELDS(2);

    private final int levels;

    Part(int levels) {
      this.levels = levels;
    }
  }

  @Test
  void everyFieldOfABatch_isAPartOfThisTable() {
    assertThat(Arrays.stream(Part.values()).map(Part::name))
        .containsAll(
            ReadingBatch.getDescriptor().getFields().stream()
                .map(field -> field.getName().toUpperCase(Locale.ROOT))
                .toList());
  }

  @Test
  void eachPairOfParts_harmsNobody() {
    List<int[]> rows = coveringRows(new Random(1));
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      long neighbours = 0;
      for (int[] row : rows) {
        byte[] value = value(row);
        weir.send(T, key(row), value, headers(row));
        weir.send(T, Batches.sequenced("neighbour", T << 20, ++neighbours, RejectionFixture.GOOD));

        List<DeadLetter> refused = weir.deadLetters();
        assertThat(refused.stream().mapToLong(HostilePairsTest::estimate).sum())
            .as(Arrays.toString(row))
            .isLessThan(6L * value.length + 100_000);
        assertThat(refused)
            .as(Arrays.toString(row))
            .hasSizeLessThan(24)
            .allSatisfy(one -> assertThat(estimate(one)).isLessThanOrEqualTo(MOST_BYTES))
            .noneSatisfy(
                one -> assertThat(one.header(DeadLetterHeaders.GATEWAY)).isEqualTo("neighbour"));
      }
    }
  }

  /** Rows that were drawn until each pair of levels is in one. */
  private static List<int[]> coveringRows(Random random) {
    Part[] parts = Part.values();
    Set<List<Integer>> open = new HashSet<>();
    for (int a = 0; a < parts.length; a++) {
      for (int b = a + 1; b < parts.length; b++) {
        for (int x = 0; x < parts[a].levels; x++) {
          for (int y = 0; y < parts[b].levels; y++) {
            open.add(List.of(a, x, b, y));
          }
        }
      }
    }
    List<int[]> rows = new ArrayList<>();
    while (!open.isEmpty()) {
      int[] best = null;
      long most = -1;
      for (int draw = 0; draw < 40; draw++) {
        int[] row = Arrays.stream(parts).mapToInt(part -> random.nextInt(part.levels)).toArray();
        List<Integer> one = open.iterator().next();
        row[one.get(0)] = one.get(1);
        row[one.get(2)] = one.get(3);
        long covers = pairs(row).stream().filter(open::contains).count();
        if (covers > most) {
          most = covers;
          best = row;
        }
      }
      rows.add(best);
      open.removeAll(pairs(best));
    }
    return rows;
  }

  private static List<List<Integer>> pairs(int[] row) {
    return IntStream.range(0, row.length)
        .boxed()
        .flatMap(
            a -> IntStream.range(a + 1, row.length).mapToObj(b -> List.of(a, row[a], b, row[b])))
        .toList();
  }

  private static int level(int[] row, Part part) {
    return row[part.ordinal()];
  }

  private static byte[] key(int[] row) {
    return switch (level(row, Part.KEY)) {
      case 0 -> null;
      case 1 -> new byte[20];
      default -> new byte[2 << 20];
    };
  }

  private static Headers headers(int[] row) {
    Headers headers = new RecordHeaders();
    switch (level(row, Part.HEADERS)) {
      case 1 -> IntStream.range(0, 100_000).forEach(header -> headers.add("", null));
      case 2 -> headers.add("h".repeat(500_000), new byte[500_000]);
      case 3 -> headers.add(DeadLetterHeaders.REDRIVE_TOPIC, new byte[500_000]);
      default -> {}
    }
    return headers;
  }

  private static byte[] value(int[] row) {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    switch (level(row, Part.GATEWAY_ID)) {
      case 1 -> batch.setGatewayId("g".repeat(256));
      case 2 -> batch.setGatewayId("g".repeat(900_000));
      case 3 -> batch.setGatewayId("");
      default -> batch.setGatewayId("hostile");
    }
    batch.setBootId(new long[] {0, T << 20, -1}[level(row, Part.BOOT_ID)]);
    batch.setSequence(new long[] {0, 1, -1}[level(row, Part.SEQUENCE)]);
    int count = new int[] {1, 1_000, 10_001}[level(row, Part.READINGS)];
    for (int reading = 0; reading < count; reading++) {
      batch.addReadings(
          Reading.newBuilder()
              .setSensorId(count == 1 ? sensorId(row) : Batches.sensor(reading % 7))
              .setTimestampMs(timestampMs(row, reading))
              .setValue(value(row, reading)));
    }
    int[] ofSeries = new int[][] {{}, {3}, {5_000}, new int[2_000]}[level(row, Part.SERIES)];
    for (int length : ofSeries) {
      Series.Builder series =
          Series.newBuilder()
              .setSensorId(sensorId(row).substring(0, Math.min(300_000, sensorId(row).length())));
      long beforeMs = 0;
      for (int reading = 0; reading < length; reading++) {
        series.addTimestampDeltaMs(timestampMs(row, reading) - beforeMs);
        series.addValue(value(row, reading));
        beforeMs = timestampMs(row, reading);
      }
      batch.addSeries(ofSeries.length > 1 ? series.setSensorId("s") : series);
    }
    int attested = new int[] {0, 1, 10_000}[level(row, Part.COMPLETE)];
    for (int complete = 0; complete < attested; complete++) {
      batch.addComplete(
          Completeness.newBuilder().setSensorId("c" + complete).setThroughMs(Long.MAX_VALUE));
    }
    batch.setOrdered(level(row, Part.ORDERED) == 1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(frame(row));
    bytes.writeBytes(batch.build().toByteArray());
    if (level(row, Part.UNKNOWN_FIELDS) == 1) {
      bytes.writeBytes(
          ReadingBatch.newBuilder()
              .setUnknownFields(
                  UnknownFieldSet.newBuilder()
                      .addField(
                          99,
                          UnknownFieldSet.Field.newBuilder()
                              .addLengthDelimited(ByteString.copyFrom(new byte[200_000]))
                              .build())
                      .build())
              .build()
              .toByteArray());
    }
    return bytes.toByteArray();
  }

  private static byte[] frame(int[] row) {
    return switch (level(row, Part.FRAME)) {
      case 1 -> ByteBuffer.allocate(6).put((byte) 0).putInt(77).put((byte) 0).array();
      case 2 -> ByteBuffer.allocate(6).put((byte) 0).putInt(-1).put((byte) 0xff).array();
      default -> new byte[0];
    };
  }

  private static String sensorId(int[] row) {
    return switch (level(row, Part.SENSOR_ID)) {
      case 1 -> "";
      case 2 -> "s".repeat(256);
      case 3 -> "s".repeat(600_000);
      default -> Batches.sensor(1);
    };
  }

  private static long timestampMs(int[] row, int reading) {
    return switch (level(row, Part.TIMESTAMP)) {
      case 1 -> 0;
      case 2 -> Long.MAX_VALUE;
      case 3 -> reading % 2 == 0 ? T : reading % 3 == 0 ? -1 : T + (1L << 40);
      default -> T;
    };
  }

  private static double value(int[] row, int reading) {
    return switch (level(row, Part.VALUE)) {
      case 1 -> Double.NaN;
      case 2 -> reading % 2 == 0 ? Double.MAX_VALUE : Double.POSITIVE_INFINITY;
      default -> 1;
    };
  }

  private static int estimate(DeadLetter letter) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        letter.key(),
        letter.value(),
        letter.headers().toArray());
  }
}
