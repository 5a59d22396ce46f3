package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Attestations;
import io.weir.reading.ReadingColumns;
import io.weir.reading.ReadingColumns.Form;
import io.weir.reading.Verdict;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A batch as text, the same whether it was decoded here or by the classes that protoc generates.
 */
final class BatchText {
  private static final BigInteger LONG_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private BatchText() {}

  static String of(ReadingColumns columns) {
    StringBuilder text = new StringBuilder();
    text.append(columns.gatewayId() + " " + columns.bootId() + " " + columns.sequence());
    Attestations attestations = columns.attestations();
    List<String> complete = new ArrayList<>();
    for (int i = 0; i < attestations.size(); i++) {
      String id =
          new String(
              columns.bytes(),
              attestations.idOffset(i),
              attestations.idLength(i),
              StandardCharsets.UTF_8);
      complete.add(id + " through " + attestations.throughMs(i));
    }
    text.append(complete).append(attestations.ordered());
    List<String> rows = new ArrayList<>();
    List<String> series = new ArrayList<>();
    for (int run = 0; run < columns.runs(); run++) {
      String id =
          new String(
              columns.bytes(),
              columns.idOffset(run),
              columns.idLength(run),
              StandardCharsets.UTF_8);
      List<String> readings = new ArrayList<>();
      for (int i = columns.runStart(run); i < columns.runEnd(run); i++) {
        assertThat(columns.verdict(i)).isEqualTo(Verdict.ACCEPTED);
        readings.add(
            columns.form(run) == Form.BROKEN_SERIES
                ? "?"
                : columns.timestampMs(i) + "=" + columns.value(i) + quality(columns.quality(i)));
      }
      if (columns.form(run) == Form.ROWS) {
        readings.forEach(reading -> rows.add(id + " " + reading));
      } else {
        series.add(id + " " + columns.form(run) + readings);
      }
    }
    return text.append(rows).append(series).toString();
  }

  static String of(ReadingBatch batch) {
    List<String> rows = new ArrayList<>();
    for (Reading row : batch.getReadingsList()) {
      rows.add(
          row.getSensorId()
              + " "
              + row.getTimestampMs()
              + "="
              + row.getValue()
              + quality(row.getQualityValue()));
    }
    List<String> series = batch.getSeriesList().stream().map(BatchText::of).toList();
    return batch.getGatewayId()
        + " "
        + batch.getBootId()
        + " "
        + batch.getSequence()
        + batch.getCompleteList().stream()
            .map(entry -> entry.getSensorId() + " through " + entry.getThroughMs())
            .toList()
        + batch.getOrdered()
        + rows
        + series;
  }

  private static String of(Series series) {
    int count = series.getValueCount();
    boolean broken =
        series.getTimestampDeltaMsCount() != count
            || (series.getQualityCount() != 0 && series.getQualityCount() != count);
    BigInteger timestampMs = BigInteger.valueOf(series.getStartTimestampMs());
    List<String> readings = new ArrayList<>();
    for (int i = 0; i < count && !broken; i++) {
      timestampMs = timestampMs.add(BigInteger.valueOf(series.getTimestampDeltaMs(i)));
      broken = timestampMs.compareTo(LONG_MIN) < 0 || timestampMs.compareTo(LONG_MAX) > 0;
      int quality = series.getQualityCount() == 0 ? 0 : series.getQualityValue(i);
      readings.add(timestampMs + "=" + series.getValue(i) + quality(quality));
    }
    if (broken) {
      String[] unknown = new String[Math.max(count, series.getTimestampDeltaMsCount())];
      Arrays.fill(unknown, "?");
      readings = List.of(unknown);
    }
    return series.getSensorId() + " " + (broken ? Form.BROKEN_SERIES : Form.SERIES) + readings;
  }

  /** A number that is not listed means the same as any other that is not. */
  private static String quality(int number) {
    return number >= 0 && number <= 3 ? "q" + number : "q?";
  }
}
