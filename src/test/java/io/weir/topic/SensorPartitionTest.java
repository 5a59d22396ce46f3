package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Fnv1a;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class SensorPartitionTest {
  @ParameterizedTest
  @CsvFileSource(
      resources = "/fnv1a.csv",
      numLinesToSkip = 1,
      ignoreLeadingAndTrailingWhitespace = false)
  void knownAnswers(String sensorId, String hex, int partition) {
    String id = sensorId == null ? "" : sensorId;
    assertThat(Integer.toHexString(Fnv1a.hash(id))).isEqualTo(hex.replaceFirst("^0+(?=.)", ""));
    assertThat(SensorPartition.of(id)).isEqualTo(partition);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 8, 10, 16})
  void cells_areEven_andUseAllPartitions(int cells) {
    int expected = 100;
    int[][] sensors = new int[cells][SensorPartition.COUNT];
    for (int i = 0; i < cells * SensorPartition.COUNT * expected; i++) {
      String id = "plant-1/line-" + i + "/temperature";
      sensors[SensorPartition.cellOf(id, cells)][SensorPartition.of(id)]++;
    }

    for (int[] cell : sensors) {
      assertThat(IntStream.of(cell).sum() / (double) (SensorPartition.COUNT * expected))
          .isBetween(0.9, 1.1);
      assertThat(IntStream.of(cell).boxed()).allMatch(count -> count >= 50 && count <= 150);
    }
  }

  @Test
  void cells_areOneToTheMost() {
    assertThat(SensorPartition.cellOf("cam-1142", 1)).isZero();
    assertThat(SensorPartition.cellOf("cam-1142", 8)).isEqualTo(0xf318 % 8);
    assertThatThrownBy(() -> SensorPartition.cellOf("cam-1142", 0))
        .hasMessage("expected 1 to 4096 cells, but was 0");
  }
}
