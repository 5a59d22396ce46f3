package io.weir.internal.wire;

import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The readings of a batch one by one, decoded in the simplest way. */
public final class BatchRows {
  private BatchRows() {}

  /** Readings and series of a batch as readings; invalid series are left out. */
  public static List<Reading> of(ReadingBatch batch) {
    List<Reading> rows = new ArrayList<>(batch.getReadingsList());
    for (Series series : batch.getSeriesList()) {
      if (isBroken(series)) {
        continue;
      }
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        rows.add(
            Reading.newBuilder()
                .setSensorId(series.getSensorId())
                .setTimestampMs(timestampMs)
                .setValue(series.getValue(i))
                .setQualityValue(series.getQualityCount() == 0 ? 0 : series.getQualityValue(i))
                .build());
      }
    }
    return rows;
  }

  /** Whether the lengths of a series differ, or its times overflow. */
  public static boolean isBroken(Series series) {
    int values = series.getValueCount();
    int qualities = series.getQualityCount();
    if (series.getTimestampDeltaMsCount() != values || (qualities != 0 && qualities != values)) {
      return true;
    }
    BigInteger timestampMs = BigInteger.valueOf(series.getStartTimestampMs());
    for (long deltaMs : series.getTimestampDeltaMsList()) {
      timestampMs = timestampMs.add(BigInteger.valueOf(deltaMs));
      if (timestampMs.bitLength() >= Long.SIZE) {
        return true;
      }
    }
    return false;
  }
}
