package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.ops.ApplicationMeters.StreamsSnapshot;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StreamsSnapshotTest {
  private static double used(Map<Integer, Double> lags, Map<Integer, Double> leads) {
    return new StreamsSnapshot(2, ofReadings(lags), ofReadings(leads), 0, 0, 1).retentionUsed();
  }

  private static Map<TopicPartition, Double> ofReadings(Map<Integer, Double> byPartition) {
    return byPartition.entrySet().stream()
        .collect(
            Collectors.toMap(
                entry -> new TopicPartition("readings", entry.getKey()), Map.Entry::getValue));
  }

  @Test
  void retentionUsed_isTheShareThatIsUnread_whereItIsLargest() {
    assertThat(used(Map.of(0, 25.0, 1, 900.0), Map.of(0, 75.0, 1, 100.0))).isEqualTo(0.9);
  }

  @Test
  void retentionUsed_ofWhatIsReadToItsEnd_isNothing() {
    assertThat(used(Map.of(0, 0.0), Map.of(0, 0.0))).isZero();
    assertThat(used(Map.of(), Map.of())).isZero();
  }

  @Test
  void retentionUsed_whereTheNextDeletedRecordIsUnread_isOne() {
    assertThat(used(Map.of(3, 7.0), Map.of(3, 0.0))).isEqualTo(1);
  }

  /** A partition that was never fetched has neither metric. */
  @Test
  void retentionUsed_whereTheLeadIsNotKnown_isNothing() {
    assertThat(used(Map.of(3, 7.0), Map.of())).isZero();
  }
}
