package io.weir.lab.bench;

import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Batches of events as a load, always the same. Those to be folded: a partition's keys come in
 * turn, each with ten events in each of five batches, then never again. Those to come due: a key
 * each, so many a second. One thread.
 */
final class EventBatches {
  static final int BATCH_EVENTS = 1_000;

  /** Events of a key in all: what folding has to divide by. */
  static final int EVENTS_OF_A_KEY = 50;

  private static final int BATCHES_OF_A_KEY = 5;
  private static final int EVENTS_IN_A_BATCH = EVENTS_OF_A_KEY / BATCHES_OF_A_KEY;
  private static final int KEYS_IN_A_BATCH = BATCH_EVENTS / EVENTS_IN_A_BATCH;
  private static final long BATCH_MS = 1_000;
  private static final String GATEWAY = LoadBatches.GATEWAY;
  private static final String[] FIELDS = {
    "speed", "pressure", "temperature", "load", "level", "flow"
  };

  private final long[] sequences = new long[SensorPartition.COUNT];
  private final List<List<String>> keys = new ArrayList<>();
  private int nextKey;
  private long written;

  /** Takes a batch. */
  interface Sink {
    void accept(int partition, byte[] batch);
  }

  EventBatches() {
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      keys.add(new ArrayList<>());
    }
  }

  /** How many events a load of about so many has: whole batches. */
  static long wholeBatches(long events) {
    return Math.max(1, (events + BATCH_EVENTS - 1) / BATCH_EVENTS) * BATCH_EVENTS;
  }

  /**
   * Writes events to be folded.
   *
   * @param events how many; whole batches
   * @param startMs event time of the first ones; a batch of a partition takes a second of it
   */
  void writeFolding(long events, long startMs, Sink sink) {
    for (int round = 0; written < events; round++) {
      for (int partition = 0; partition < SensorPartition.COUNT && written < events; partition++) {
        EventBatch.Builder batch = begin(partition);
        int turn = round / BATCHES_OF_A_KEY;
        for (int i = 0; i < BATCH_EVENTS; i++) {
          String key = key(partition, turn * KEYS_IN_A_BATCH + i % KEYS_IN_A_BATCH);
          batch.addEvents(event(key, i, startMs + round * BATCH_MS + i));
        }
        end(partition, batch, sink);
      }
    }
  }

  private static Event.Builder event(String key, int i, long timestampMs) {
    return Event.newBuilder()
        .setKey(key)
        .setSubject("part-" + i % 4)
        .setType("changed")
        .setTimestampMs(timestampMs)
        .putFields(FIELDS[i % FIELDS.length], Value.newBuilder().setDoubleValue(i / 8.0).build())
        .putFields("state", Value.newBuilder().setStringValue("state-" + i % 3).build());
  }

  /**
   * Writes events to come due, each of a key of its own.
   *
   * @param perSecond how many come due in a second
   * @param firstDueMs when the first one does
   */
  void writeTimers(long events, long perSecond, long firstDueMs, Sink sink) {
    EventBatch.Builder[] batches = new EventBatch.Builder[SensorPartition.COUNT];
    for (long i = 0; i < events; i++) {
      String key = keyOf(Math.toIntExact(i));
      int partition = SensorPartition.of(key);
      if (batches[partition] == null) {
        batches[partition] = begin(partition);
      }
      batches[partition].addEvents(
          Event.newBuilder()
              .setKey(key)
              .setId("check")
              .setType("due")
              .setDueMs(firstDueMs + i * 1000 / perSecond));
      if (batches[partition].getEventsCount() == BATCH_EVENTS) {
        end(partition, batches[partition], sink);
        batches[partition] = null;
      }
    }
    for (int partition = 0; partition < batches.length; partition++) {
      if (batches[partition] != null) {
        end(partition, batches[partition], sink);
      }
    }
  }

  private EventBatch.Builder begin(int partition) {
    return EventBatch.newBuilder()
        .setGatewayId(GATEWAY)
        .setBootId(1)
        .setSequence(++sequences[partition]);
  }

  private void end(int partition, EventBatch.Builder batch, Sink sink) {
    written += batch.getEventsCount();
    sink.accept(partition, batch.build().toByteArray());
  }

  /** A partition's keys, one after the other. */
  private String key(int partition, int number) {
    List<String> ofPartition = keys.get(partition);
    while (ofPartition.size() <= number) {
      String key = keyOf(nextKey++);
      keys.get(SensorPartition.of(key)).add(key);
    }
    return ofPartition.get(number);
  }

  private static String keyOf(int number) {
    return String.format("asset-%07d", number);
  }
}
