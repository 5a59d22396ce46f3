package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a partition goes on whose owner before still writes. */
@Timeout(120)
class TakeoverTest extends SinkTablesFixture {
  private final SinkCounters counters = new SinkCounters();

  /**
   * Each time that Kafka is asked, ten more records are appended and written by the owner before.
   */
  private final class BusyOwner extends MockConsumer<byte[], byte[]> {
    private final PartitionOwnership before;
    private long end = 10;

    BusyOwner(PartitionOwnership before) {
      super("none");
      this.before = before;
    }

    @Override
    public synchronized Map<TopicPartition, Long> beginningOffsets(
        Collection<TopicPartition> partitions) {
      goOn();
      return Map.of(PARTITION, 0L);
    }

    @Override
    public synchronized Map<TopicPartition, Long> endOffsets(
        Collection<TopicPartition> partitions) {
      Map<TopicPartition, Long> answer = Map.of(PARTITION, end);
      goOn();
      return answer;
    }

    private void goOn() {
      end += 10;
      try {
        OffsetTable.move(connection, List.of(before), Map.of(PARTITION, end));
        connection.commit();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void whatTheOwnerBeforeWroteMeanwhile_isNoLossOfTheTopic() throws Exception {
    PartitionOwnership before = takeOver(ID);
    for (boolean skipLost : new boolean[] {false, true}) {
      Takeover takeover =
          new Takeover(new BusyOwner(before), topics -> Map.of(TOPIC, ID), skipLost, counters);
      PartitionOwnership now = takeover.open(connection, Set.of(PARTITION)).get(0);
      assertThat(now.nextOffset()).isEqualTo(20);
      assertThat(now.generation()).isEqualTo(1);
    }
  }

  @Test
  void aTopicThatEndsBeforeWhatWasWritten_isRefused() throws Exception {
    OffsetTable.move(connection, List.of(takeOver(ID)), Map.of(PARTITION, 500L));
    connection.commit();
    Takeover takeover =
        new Takeover(
            new BusyOwner(takeOver(Uuid.randomUuid())),
            topics -> Map.of(TOPIC, ID),
            false,
            counters);
    execute("delete from weir_sink_offsets where generation = 2");
    assertThatThrownBy(() -> takeover.open(connection, Set.of(PARTITION)))
        .isInstanceOf(SinkRefusedException.class)
        .hasMessageContaining("it lost records");
  }

  @Test
  void topicsOfAnotherPlant_areRefused() throws Exception {
    takeOver(ID);
    assertThatThrownBy(
            () ->
                OffsetTable.takeOver(
                    connection, "jakarta.weir.windows", Uuid.randomUuid(), Map.of(0, 0L)))
        .isInstanceOf(SinkRefusedException.class)
        .hasMessageContaining("rows of weir.windows")
        .hasMessageContaining("currentSchema");
    connection.rollback();
    assertThat(OffsetTable.takeOver(connection, "w", Uuid.randomUuid(), Map.of(0, 0L))).hasSize(1);
  }
}
