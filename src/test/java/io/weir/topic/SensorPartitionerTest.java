package io.weir.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.summary.SensorStreamPartitioner;
import io.weir.summary.WindowKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class SensorPartitionerTest {
  private static final String TOPIC = "plant.sensors";

  private static Cluster cluster(int partitions) {
    List<PartitionInfo> infos =
        IntStream.range(0, partitions)
            .mapToObj(i -> new PartitionInfo(TOPIC, i, null, new Node[0], new Node[0]))
            .toList();
    return new Cluster("c", List.of(), infos, Set.of(), Set.of());
  }

  private static int partition(byte[] key, int partitions) {
    try (SensorPartitioner partitioner = new SensorPartitioner()) {
      partitioner.configure(Map.of());
      return partitioner.partition(TOPIC, "", key, "", new byte[0], cluster(partitions));
    }
  }

  @Test
  void aTableOfSensors_isInThePartitionsOfTheirWindows() {
    SensorStreamPartitioner<Object, String> streams = new SensorStreamPartitioner<>();
    Seeds.forEach(
        200,
        random -> {
          String sensor = "Fühler-λ-" + random.nextInt() + "/" + (char) random.nextInt(0xd800);
          int expected = SensorPartition.of(sensor);
          byte[] key = sensor.getBytes(StandardCharsets.UTF_8);
          assertThat(partition(key, 64)).isEqualTo(expected);
          assertThat(streams.partitions(TOPIC, sensor, "", 64)).contains(Set.of(expected));
          assertThat(streams.partitions(TOPIC, new WindowKey(sensor, 0, 10), "", 64))
              .contains(Set.of(expected));
        });
  }

  @Test
  void otherTopicsAndKeys_areRefused() {
    assertThatThrownBy(() -> partition(new byte[] {'a'}, 6))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "topic plant.sensors has 6 partitions; create it with 64, as Weir's topics have");
    assertThatThrownBy(() -> partition(null, 64))
        .isInstanceOf(InvalidRecordException.class)
        .hasMessageContaining("expected: the sensor id");
    assertThatThrownBy(
            () -> new SensorStreamPartitioner<Long, String>().partitions(TOPIC, 7L, "", 64))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new SensorStreamPartitioner<String, String>().partitions(TOPIC, "a", "", 12))
        .isInstanceOf(ConfigException.class);
  }
}
