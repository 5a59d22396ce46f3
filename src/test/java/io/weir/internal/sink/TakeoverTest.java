package io.weir.internal.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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
    private OffsetAndMetadata sought;

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

    @Override
    public synchronized void seek(TopicPartition partition, OffsetAndMetadata position) {
      sought = position;
    }

    @Override
    public synchronized void resume(Collection<TopicPartition> partitions) {}

    private void goOn() {
      end += 10;
      try {
        OffsetTable.move(
            connection, List.of(before), Map.of(PARTITION, new OffsetAndMetadata(end)));
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
    OffsetTable.move(
        connection, List.of(takeOver(ID)), Map.of(PARTITION, new OffsetAndMetadata(500)));
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

  /** Its end is behind what was written: only the epochs of its leaders tell. */
  @Test
  void aTopicThatLostItsEndAndHasGrownSince_isRefused_orReadAgain() throws Exception {
    Optional<Integer> epoch = Optional.of(4);
    BusyOwner kafka = new BusyOwner(takeOver(ID));
    write(Map.of(PARTITION, new OffsetAndMetadata(20, epoch, "")));
    PartitionOwnership now = takeOver(ID);
    assertThat(now.position()).isEqualTo(new OffsetAndMetadata(20, epoch, ""));
    new Assignment(kafka, new Batch(), new Unread(), new WriterThread()).opened(now);
    assertThat(kafka.sought).isEqualTo(now.position());

    Map<TopicPartition, OffsetAndMetadata> kept = Map.of(PARTITION, new OffsetAndMetadata(20));
    Takeover takeover = new Takeover(kafka, topics -> Map.of(TOPIC, ID), false, counters);
    takeover.lostEnds(List.of(now), kept);
    assertThat(takeover.open(connection, Set.of(PARTITION)).get(0).nextOffset()).isEqualTo(20);
    takeover.lostEnds(List.of(now), Map.of()); // Another process owned it since then.
    assertThat(takeover.open(connection, Set.of(PARTITION)).get(0).nextOffset()).isEqualTo(20);
    for (Map<TopicPartition, OffsetAndMetadata> lost :
        List.of(
            Map.of(PARTITION, new OffsetAndMetadata(19)),
            Map.<TopicPartition, OffsetAndMetadata>of())) {
      takeover.lostEnds(List.of(takeOver(ID)), lost);
      assertThatThrownBy(() -> takeover.open(connection, Set.of(PARTITION)))
          .isInstanceOf(SinkRefusedException.class)
          .hasMessageContaining("it lost records");
    }
    Takeover again = new Takeover(kafka, topics -> Map.of(TOPIC, ID), true, counters);
    again.lostEnds(List.of(takeOver(ID)), Map.of());
    PartitionOwnership skipped = again.open(connection, Set.of(PARTITION)).get(0);
    assertThat(skipped.position()).isEqualTo(new OffsetAndMetadata(0));
    assertThat(skipped.generation()).isEqualTo(2);
    assertThat(takeOver(ID).position()).isEqualTo(new OffsetAndMetadata(0));
  }

  private void write(Map<TopicPartition, OffsetAndMetadata> positions) throws SQLException {
    OffsetTable.move(connection, List.of(takeOver(ID)), positions);
    connection.commit();
  }

  /** A sink that does not know the column has gone on: the epoch is not of that offset. */
  @Test
  void anEpochOfAnotherOffset_doesNotCount() throws Exception {
    write(Map.of(PARTITION, new OffsetAndMetadata(20, Optional.of(4), "")));
    execute("update weir_sink_offsets set next_offset = 30");
    assertThat(takeOver(ID).position()).isEqualTo(new OffsetAndMetadata(30));
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
