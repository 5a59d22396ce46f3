package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The direction of each setting that is compared. */
class TopicComparisonTest {
  private static final Map<String, String> PLAN =
      Map.of(
          "retention.ms", String.valueOf(Duration.ofDays(3).toMillis()),
          "retention.bytes", "5000000000",
          "max.message.bytes", "2097152",
          "min.insync.replicas", "2",
          "segment.bytes", "8388608",
          "segment.ms", "600000",
          "max.compaction.lag.ms", "3600000");

  @ParameterizedTest
  @CsvSource({
    "retention.ms, 604800000",
    "retention.ms, -1",
    "retention.bytes, 9000000000",
    "retention.bytes, -1",
    "max.message.bytes, 4194304",
    "min.insync.replicas, 3",
    "segment.bytes, 1048576",
    "segment.ms, 4000",
    "max.compaction.lag.ms, 1000"
  })
  void moreThanThePlan_isNoDifference(String name, String found) {
    assertThat(differences(name, found)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "retention.ms, 3600000",
    "retention.bytes, 1000",
    "max.message.bytes, 1048576",
    "min.insync.replicas, 1",
    "segment.bytes, 52428800",
    "segment.ms, 604800000",
    "max.compaction.lag.ms, 9223372036854775807"
  })
  void lessThanThePlan_isADifference_withTheCommandThatMendsIt(String name, String found) {
    assertThat(differences(name, found))
        .singleElement()
        .satisfies(
            difference -> {
              assertThat(difference.found()).isEqualTo(name + "=" + found);
              assertThat(difference.remedy())
                  .endsWith(" --add-config " + name + "=" + PLAN.get(name));
            });
  }

  @Test
  void topicThatIsKeptForEver_mustBeKeptForEver() {
    TopicSettings plan = new TopicSettings("t", 64, (short) 1, Map.of("retention.ms", "-1"));

    assertThat(
            TopicComparison.compare(
                plan,
                TopicComparison.Role.OUTPUT,
                Replication.NONE,
                description(),
                Map.of("retention.ms", "9223372036854775807")))
        .hasSize(1);
  }

  private static List<TopicDifference> differences(String name, String found) {
    Map<String, String> config = new HashMap<>(PLAN);
    config.put(name, found);
    return TopicComparison.compare(
        new TopicSettings("t", 64, (short) 1, PLAN),
        TopicComparison.Role.OUTPUT,
        Replication.NONE,
        description(),
        config);
  }

  private static TopicDescription description() {
    Node node = new Node(1, "127.0.0.1", 9092);
    return new TopicDescription(
        "t",
        false,
        IntStream.range(0, 64)
            .mapToObj(i -> new TopicPartitionInfo(i, node, List.of(node), List.of(node)))
            .toList());
  }
}
