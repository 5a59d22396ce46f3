package io.weir.lab.cli;

import io.weir.internal.text.RejectsWriter;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Readings that were refused behind the text, on their way through the topology; gathered by one
 * thread and written by another when that has ended.
 */
final class RefusedReadings implements BiConsumer<RejectReason, ReadingBatch> {
  private record Refused(RejectReason reason, String sensorId, long timestampMs, double value) {}

  private final List<Refused> all = new ArrayList<>();

  @Override
  public void accept(RejectReason reason, ReadingBatch batch) {
    for (Reading reading : batch.getReadingsList()) {
      all.add(
          new Refused(reason, reading.getSensorId(), reading.getTimestampMs(), reading.getValue()));
    }
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      int readings = Math.min(series.getTimestampDeltaMsCount(), series.getValueCount());
      for (int i = 0; i < readings; i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        all.add(new Refused(reason, series.getSensorId(), timestampMs, series.getValue(i)));
      }
    }
  }

  /** Writes them behind the bad lines. */
  void writeTo(RejectsWriter rejects) throws IOException {
    for (Refused refused : all) {
      rejects.write(refused.reason(), refused.sensorId(), refused.timestampMs(), refused.value());
    }
  }
}
