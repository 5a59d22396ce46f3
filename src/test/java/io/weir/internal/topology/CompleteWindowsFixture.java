package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.complete;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.window.WindowSpec;
import io.weir.v1.CloseReason;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.util.ArrayList;
import java.util.List;

/** Two sensors of one gateway, which sends batches in sequence. */
abstract class CompleteWindowsFixture {
  /** An append time, at which a window begins; event times are near it. */
  static final long T = 1_700_000_000_000L;

  static final String A = sensor(0);
  static final String B = sensor(1);
  static final WindowSpec SPEC = WeirDriver.SPEC;
  long boot = T << 20;
  long sequence;

  ReadingBatch next(Reading... readings) {
    sequence++;
    return Batches.sequenced("gw", boot, sequence, readings);
  }

  static List<String> emitted(WeirDriver weir) {
    List<String> lines = new ArrayList<>();
    for (WindowSummary window : weir.windows()) {
      boolean complete = window.getCloseReason() == CloseReason.CLOSE_REASON_COMPLETE;
      assertThat(window.getIsFinal()).isEqualTo(complete);
      String sensor = window.getSensorId().equals(A) ? "A" : "B";
      lines.add(
          "%s+%d %s r%d n%d"
              .formatted(
                  sensor,
                  (window.getWindowStartMs() - T) / 1000,
                  window.getCloseReason().name().substring("CLOSE_REASON_".length()),
                  window.getRevision(),
                  window.getCount()));
    }
    return lines;
  }

  static Reading a(long secondsAfterT) {
    return reading(A, T + secondsAfterT * 1000, 1);
  }

  static Reading b(long secondsAfterT) {
    return reading(B, T + secondsAfterT * 1000, 1);
  }
}
