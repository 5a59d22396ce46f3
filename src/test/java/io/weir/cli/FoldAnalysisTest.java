package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.AnalyzeEventsCommand.FoldAnalysis;
import io.weir.internal.event.FoldSpec;
import io.weir.v1.Event;
import org.junit.jupiter.api.Test;

class FoldAnalysisTest {
  /** Three events a second apart, four seconds of rest, and another one. */
  @Test
  void quietTimes_shorterAndLongerThanTheRest() {
    assertAnalysis(1_000, 4, 0.0, 2);
    assertAnalysis(3_000, 2, 0.5, 1);
    assertAnalysis(5_000, 1, 0.75, 0);
  }

  private static void assertAnalysis(long quietMs, long folds, double ratio, long reopened) {
    FoldAnalysis analysis = new FoldAnalysis(new FoldSpec(quietMs, 60_000, 1_000, 1 << 20));
    for (long atMs : new long[] {10_000, 11_000, 12_000, 16_000}) {
      analysis.add(Event.newBuilder().setKey("k").setTimestampMs(atMs).build());
    }
    analysis.add(Event.newBuilder().setKey("k").setDueMs(5).build());
    analysis.end();
    assertThat(analysis.events()).isEqualTo(4);
    assertThat(analysis.folds()).isEqualTo(folds);
    assertThat(analysis.ratio()).isEqualTo(ratio);
    assertThat(analysis.reopened()).isEqualTo(reopened);
  }

  @Test
  void rejectedLines_areCounted() {
    assertThat(AnalyzeEventsCommand.notEvents(1)).isEqualTo("1 line is not an event");
    assertThat(AnalyzeEventsCommand.notEvents(2)).isEqualTo("2 lines are not events");
  }
}
