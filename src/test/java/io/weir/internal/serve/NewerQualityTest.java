package io.weir.internal.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.wire.BatchRows;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import org.junit.jupiter.api.Test;

/** Numbers of enums that a newer build knows, or that somebody invents, are carried as they are. */
class NewerQualityTest {
  private static final int UNKNOWN = 9;

  private static final Series SERIES =
      Series.newBuilder()
          .setSensorId("pump")
          .setStartTimestampMs(1_000)
          .addTimestampDeltaMs(0)
          .addTimestampDeltaMs(1)
          .addValue(1)
          .addValue(2)
          .addQualityValue(UNKNOWN)
          .addQualityValue(-1)
          .build();

  @Test
  void rowsOfABatch_keepTheNumber() {
    assertThat(BatchRows.of(ReadingBatch.newBuilder().addSeries(SERIES).build()))
        .extracting(Reading::getQualityValue)
        .containsExactly(UNKNOWN, -1);
  }

  @Test
  void shortenedBatch_keepsTheNumber() {
    ReadingBatch batch = TopicReader.first(ReadingBatch.newBuilder().addSeries(SERIES).build());
    assertThat(batch.getSeries(0).getQualityValueList()).containsExactly(UNKNOWN, -1);
  }
}
