package io.weir.internal.serve;

import io.weir.internal.serve.memory.Memory.History;
import io.weir.internal.serve.memory.Stored;
import io.weir.internal.sink.StoredWindows;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Older windows of a sensor from the tables of {@code weir sink}, four questions at a time, each
 * with a connection. Safe for many threads.
 */
final class TableHistory {
  private static final int AT_A_TIME = 4;

  private final StoredWindows tables;
  private final Function<Topic, String> names;
  private final Semaphore free = new Semaphore(AT_A_TIME);

  /**
   * @param names the name of a topic
   */
  TableHistory(StoredWindows tables, Function<Topic, String> names) {
    this.tables = tables;
    this.names = names;
  }

  /**
   * Windows of a sensor, newest first; empty if the database cannot say.
   *
   * @param heldFrom the first offset of the sensor's partition that is known otherwise; complete if
   *     the sink has written all records before it
   * @throws Problem if others ask already
   */
  Optional<History<Stored>> find(
      Topic topic, String sensorId, long fromMs, long toMs, long heldFrom) {
    if (!free.tryAcquire()) {
      throw Problem.later(2, "other questions read the tables now");
    }
    try {
      int partition = SensorPartition.of(sensorId);
      return tables
          .find(topic, names.apply(topic), sensorId, fromMs, toMs, heldFrom)
          .map(found -> new History<>(stored(topic, partition, found), found.complete()));
    } finally {
      free.release();
    }
  }

  private static List<Stored> stored(Topic topic, int partition, StoredWindows.Found found) {
    return found.rows().stream()
        .map(row -> new Stored(topic, partition, row.offset(), 0, row.summary()))
        .toList();
  }
}
