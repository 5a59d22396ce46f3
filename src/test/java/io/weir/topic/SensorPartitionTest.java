package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Fnv1a;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

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
}
