package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class LoadBatchesTest {
  private static final long START_MS = 1_600_000_000_000L;
  private static final long READINGS = 130_000;

  private record Batch(int partition, ReadingBatch message, int readings) {}

  private static List<Batch> batches(LoadForm form) {
    List<Batch> batches = new ArrayList<>();
    new LoadBatches(new Load(LoadShape.DENSE, form, READINGS), START_MS)
        .writeTo(
            (partition, bytes, readings) -> {
              try {
                batches.add(new Batch(partition, ReadingBatch.parseFrom(bytes), readings));
              } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
              }
            });
    return batches;
  }

  @Test
  void bothForms_sayTheSame() {
    assertThat(batches(LoadForm.ROW).stream().flatMap(b -> rows(b.message()).stream()).sorted())
        .containsExactlyElementsOf(
            batches(LoadForm.COLUMNAR).stream()
                .flatMap(b -> rows(b.message()).stream())
                .sorted()
                .toList());
  }

  @Test
  void batches_areWhereTheirSensorsBelong_withoutGapsInTheirSequences() {
    long[] sequences = new long[SensorPartition.COUNT];
    long readings = 0;
    for (Batch batch : batches(LoadForm.COLUMNAR)) {
      for (Series series : batch.message().getSeriesList()) {
        assertThat(SensorPartition.of(series.getSensorId())).isEqualTo(batch.partition());
        assertThat(series.getValueCount()).isEqualTo(6);
      }
      assertThat(batch.message().getSequence()).isEqualTo(++sequences[batch.partition()]);
      assertThat(rows(batch.message())).hasSize(batch.readings());
      readings += batch.readings();
    }
    assertThat(readings).isBetween(READINGS, READINGS + 1000);
  }

  @Test
  void readingsOfASensor_areAtTheirInterval() {
    List<Long> times =
        batches(LoadForm.ROW).stream()
            .flatMap(batch -> batch.message().getReadingsList().stream())
            .filter(reading -> reading.getSensorId().equals("sensor-0000007"))
            .map(Reading::getTimestampMs)
            .collect(Collectors.toList());

    assertThat(times).hasSizeGreaterThanOrEqualTo(12);
    for (int i = 1; i < times.size(); i++) {
      assertThat(times.get(i) - times.get(i - 1)).isEqualTo(LoadShape.DENSE.intervalMs());
    }
  }

  private static List<String> rows(ReadingBatch batch) {
    List<String> rows = new ArrayList<>();
    for (Reading reading : batch.getReadingsList()) {
      rows.add(reading.getSensorId() + " " + reading.getTimestampMs() + " " + reading.getValue());
    }
    for (Series series : batch.getSeriesList()) {
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < series.getValueCount(); i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        rows.add(series.getSensorId() + " " + timestampMs + " " + series.getValue(i));
      }
    }
    return rows;
  }
}
