package io.weir.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EventBatchesTest {
  private static final long START_MS = 1_600_000_000_000L;

  private record Batch(int partition, EventBatch batch) {}

  private static EventBatches.Sink into(List<Batch> batches) {
    return (partition, bytes) -> {
      try {
        batches.add(new Batch(partition, EventBatch.parseFrom(bytes)));
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
    };
  }

  @Test
  void folding_givesEachKeyItsEventsInOnePartition_andThenNoMore() {
    List<Batch> batches = new ArrayList<>();
    long events = 64L * 5 * EventBatches.BATCH_EVENTS;

    new EventBatches().writeFolding(events, START_MS, into(batches));

    Map<String, Integer> ofKey = new HashMap<>();
    Map<Integer, Long> sequences = new HashMap<>();
    for (Batch each : batches) {
      assertThat(each.batch().getEventsCount()).isEqualTo(EventBatches.BATCH_EVENTS);
      long before = sequences.getOrDefault(each.partition(), 0L);
      assertThat(each.batch().getSequence()).isEqualTo(before + 1);
      sequences.put(each.partition(), before + 1);
      for (Event event : each.batch().getEventsList()) {
        assertThat(SensorPartition.of(event.getKey())).isEqualTo(each.partition());
        ofKey.merge(event.getKey(), 1, Integer::sum);
      }
    }
    assertThat(ofKey).hasSize((int) (events / EventBatches.EVENTS_OF_A_KEY));
    assertThat(ofKey.values()).containsOnly(EventBatches.EVENTS_OF_A_KEY);
  }

  @Test
  void timers_comeDueEvenly_eachOnce() {
    List<Batch> batches = new ArrayList<>();

    new EventBatches().writeTimers(70_000, 50_000, START_MS, into(batches));

    Set<String> keys = new HashSet<>();
    Map<Long, Integer> ofMs = new HashMap<>();
    for (Batch each : batches) {
      for (Event event : each.batch().getEventsList()) {
        assertThat(SensorPartition.of(event.getKey())).isEqualTo(each.partition());
        assertThat(keys.add(event.getKey())).isTrue();
        ofMs.merge(event.getDueMs() - START_MS, 1, Integer::sum);
      }
    }
    assertThat(keys).hasSize(70_000);
    assertThat(ofMs).hasSize(1_400);
    assertThat(ofMs.values()).containsOnly(50);
  }

  @Test
  void wholeBatches_areAtLeastAsManyEvents() {
    assertThat(EventBatches.wholeBatches(1)).isEqualTo(1_000);
    assertThat(EventBatches.wholeBatches(1_000)).isEqualTo(1_000);
    assertThat(EventBatches.wholeBatches(1_001)).isEqualTo(2_000);
  }
}
