package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingColumns.Form;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchExcerptTest {
  private static final byte[] VERDICTS = {
    Verdict.ACCEPTED,
    Verdict.LATE,
    Verdict.rejected(RejectReason.INVALID_VALUE),
    Verdict.rejected(RejectReason.MISROUTED)
  };

  private final BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);

  @Test
  void excerptsOfAllVerdicts_areTheReadingsOfTheOriginalInTheirForm() {
    Seeds.forEach(
        2500,
        random -> {
          byte[] bytes = RandomBatchBytes.next(random);
          byte[] record = random.nextBoolean() || startsLikeAFrame(bytes) ? framed(bytes) : bytes;
          ReadingBatch original = ReadingBatch.parseFrom(bytes);
          ReadingColumns batch = decoder.decode(record);
          judge(batch, random);
          int maxBytes = random.nextBoolean() ? 1 << 20 : 20 + random.nextInt(500);
          for (byte verdict : VERDICTS) {
            assertExcerpt(original, batch, verdict, maxBytes);
          }
        });
  }

  private static boolean startsLikeAFrame(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == 0;
  }

  private static byte[] framed(byte[] bytes) {
    byte[] record = new byte[6 + bytes.length];
    record[4] = 3;
    System.arraycopy(bytes, 0, record, 6, bytes.length);
    return record;
  }

  /** A broken series has one verdict, as the judge gives it. */
  private static void judge(ReadingColumns batch, Random random) {
    for (int run = 0; run < batch.runs(); run++) {
      byte ofRun = VERDICTS[random.nextInt(VERDICTS.length)];
      boolean together = batch.form(run) == Form.BROKEN_SERIES || random.nextInt(3) == 0;
      for (int i = batch.runStart(run); i < batch.runEnd(run); i++) {
        batch.verdict(i, together ? ofRun : VERDICTS[random.nextInt(VERDICTS.length)]);
      }
    }
  }

  private static void assertExcerpt(
      ReadingBatch original, ReadingColumns batch, byte verdict, int maxBytes) throws Exception {
    List<Reading> rows = new ArrayList<>();
    List<String> series = new ArrayList<>();
    for (byte[] excerpt : BatchExcerpt.of(batch, verdict, maxBytes)) {
      ReadingBatch part = ReadingBatch.parseFrom(excerpt);
      assertThat(part.getGatewayId()).isEqualTo(original.getGatewayId());
      assertThat(part.getBootId()).isZero();
      assertThat(part.getSequence()).isZero();
      assertThat(part.getReadingsCount() + part.getSeriesCount()).isPositive();
      List<String> ofPart = new ArrayList<>();
      part.getSeriesList().forEach(s -> ofPart.addAll(readingsOf(s)));
      if (excerpt.length > maxBytes) {
        assertThat(part.getReadingsCount() + ofPart.size()).isEqualTo(1);
      }
      rows.addAll(part.getReadingsList());
      series.addAll(ofPart);
    }
    List<Reading> expectedRows = new ArrayList<>();
    List<String> expectedSeries = new ArrayList<>();
    chosen(original, batch, verdict, expectedRows, expectedSeries);
    assertThat(rows).isEqualTo(expectedRows);
    assertThat(series).isEqualTo(expectedSeries);
  }

  /** Walks the generated classes' rows and series beside the verdicts. */
  private static void chosen(
      ReadingBatch original,
      ReadingColumns batch,
      byte verdict,
      List<Reading> rows,
      List<String> series) {
    int nextRow = 0;
    int nextSeries = 0;
    for (int run = 0; run < batch.runs(); run++) {
      List<String> ofRun =
          batch.form(run) == Form.ROWS ? null : readingsOf(original.getSeries(nextSeries++));
      int from = batch.runStart(run);
      boolean broken = batch.form(run) == Form.BROKEN_SERIES;
      if (broken && batch.runEnd(run) > from && batch.verdict(from) == verdict) {
        series.addAll(ofRun);
      }
      for (int i = from; i < batch.runEnd(run) && !broken; i++) {
        boolean wanted = batch.verdict(i) == verdict;
        if (ofRun == null) {
          Reading row = original.getReadings(nextRow++);
          if (wanted) {
            rows.add(row);
          }
        } else if (wanted) {
          series.add(ofRun.get(i - from));
        }
      }
    }
  }

  /** A line for each reading, or one for a series whose columns mean nothing. */
  private static List<String> readingsOf(Series series) {
    List<String> readings = new ArrayList<>();
    long timestampMs = series.getStartTimestampMs();
    int qualities = series.getQualityCount();
    int count = series.getValueCount();
    boolean broken =
        series.getTimestampDeltaMsCount() != count || (qualities != 0 && qualities != count);
    try {
      for (int i = 0; i < count && !broken; i++) {
        timestampMs = Math.addExact(timestampMs, series.getTimestampDeltaMs(i));
        int quality = qualities == 0 ? 0 : series.getQualityValue(i);
        readings.add(
            series.getSensorId()
                + " "
                + timestampMs
                + " "
                + Double.doubleToRawLongBits(series.getValue(i))
                + (quality >= 0 && quality <= 3 ? " q" + quality : " unlisted"));
      }
    } catch (ArithmeticException overflow) {
      broken = true;
    }
    return broken ? List.of(series.toString()) : readings;
  }

  @Test
  void longSeries_splitToFit_loosesNothing() throws Exception {
    Series.Builder series = Series.newBuilder().setSensorId("s").setStartTimestampMs(5);
    for (int i = 0; i < 5000; i++) {
      series.addTimestampDeltaMs(i % 7).addValue(i).addQualityValue(i % 4);
    }
    ReadingBatch original = ReadingBatch.newBuilder().setGatewayId("g").addSeries(series).build();
    ReadingColumns batch = decoder.decode(original.toByteArray());
    for (int i = 0; i < 5000; i += 3) {
      batch.verdict(i, Verdict.LATE);
    }
    assertExcerpt(original, batch, Verdict.LATE, 2000);
    assertExcerpt(original, batch, Verdict.ACCEPTED, 2000);
    assertThat(BatchExcerpt.of(batch, Verdict.LATE, 2000)).hasSizeBetween(8, 32);
  }

  @Test
  void timesTooFarApartForOneSeries_becomeSeveral() throws Exception {
    Series series =
        Series.newBuilder()
            .setSensorId("s")
            .addAllTimestampDeltaMs(
                Arrays.asList(Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 1L))
            .addAllValue(Arrays.asList(1.0, 2.0, 3.0, 4.0))
            .build();
    ReadingBatch original = ReadingBatch.newBuilder().addSeries(series).build();
    ReadingColumns batch = decoder.decode(original.toByteArray());
    assertThat(batch.form(0)).isEqualTo(Form.SERIES);
    batch.verdict(0, Verdict.LATE);
    batch.verdict(2, Verdict.LATE);
    assertExcerpt(original, batch, Verdict.LATE, 1000);
    assertExcerpt(original, batch, Verdict.ACCEPTED, 1000);
  }

  @Test
  void noReadingOfAVerdict_noRecord() throws Exception {
    ReadingColumns batch =
        decoder.decode(
            ReadingBatch.newBuilder().addSeries(Series.newBuilder()).build().toByteArray());
    assertThat(BatchExcerpt.of(batch, Verdict.LATE, 100)).isEmpty();
    assertThat(BatchExcerpt.of(batch, Verdict.ACCEPTED, 100)).isEmpty();
  }
}
