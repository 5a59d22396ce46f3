package io.weir.internal.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LostBatchesTest {
  private final LostBatches lost = new LostBatches();

  @Test
  void nothingLost_isReportedAsZero() {
    assertThat(lost.top()).containsExactly(Map.entry(LostBatches.REST, 0L));
  }

  @Test
  void gatewayOfSeveralPartitions_isSummedBeforeItIsRanked() {
    for (int partition = 0; partition < 3; partition++) {
      Map<String, Long> gateways = new HashMap<>();
      for (int i = 0; i < LostBatches.NAMED; i++) {
        gateways.put("of-" + partition + "-" + i, 10L);
      }
      gateways.put("everywhere", 4L);
      lost.put(partition, gateways);
    }

    Map<String, Long> top = lost.top();
    assertThat(top).hasSize(LostBatches.NAMED + 1).containsEntry("everywhere", 12L);
    assertThat(top.keySet()).startsWith("everywhere", "of-0-0").endsWith(LostBatches.REST);
    assertThat(sum(top)).isEqualTo(3 * (10 * LostBatches.NAMED + 4));
  }

  @Test
  void gatewayThatIsCalledAsTheRestIs_isPartOfIt() {
    lost.put(0, Map.of(LostBatches.REST, 5L, "other", 1L));

    assertThat(lost.top()).containsOnly(Map.entry("other", 1L), Map.entry(LostBatches.REST, 5L));
  }

  @Test
  void gatewaysWithEverNewNames_makeSoManySeries_andAreSummedBeyondThem() {
    Set<String> named = new HashSet<>();
    for (int round = 0; round < 100; round++) {
      Map<String, Long> gateways = new HashMap<>();
      for (int i = 0; i < LostBatches.NAMED; i++) {
        gateways.put("forged-" + round + "-" + i, 1000L);
      }
      gateways.put("known", round == 0 ? 2000L : 1L);
      lost.put(0, gateways);
      named.addAll(lost.top().keySet());
      assertThat(sum(lost.top())).isEqualTo(sum(gateways));
    }
    assertThat(named).hasSize(LostBatches.EVER_NAMED + 1).contains(LostBatches.REST);
    assertThat(lost.top()).containsEntry("known", 1L);
  }

  @Test
  void partitionThatIsGone_isNotSummed() {
    lost.put(0, Map.of("a", 5L));
    lost.put(1, Map.of("a", 2L));
    lost.remove(0);

    assertThat(lost.top()).containsEntry("a", 2L);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
