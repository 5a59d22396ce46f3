package io.weir.internal.sink;

import io.weir.topic.Topic;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Maps records of a topic to rows of a table. Stateless. */
interface TableMapping {
  /** The mapping of a topic. */
  static TableMapping of(Topic topic) {
    return of(topic, Topic.READINGS.defaultName());
  }

  /**
   * The same.
   *
   * @param readings name of the topic of readings
   */
  static TableMapping of(Topic topic, String readings) {
    return switch (topic) {
      case WINDOWS -> new SummaryMapping("weir_windows", topic);
      case ROLLUPS -> new SummaryMapping("weir_rollups", topic);
      case HOPPING -> new SummaryMapping("weir_hopping", topic);
      case GROUPS -> new GroupMapping();
      case STATUS -> new StatusMapping();
      case FOLDED -> new EntityMapping();
      case LATE -> new RefusedMapping("weir_late", topic, readings);
      case DEAD_LETTERS -> new RefusedMapping("weir_dead_letters", topic, readings);
      default -> throw new IllegalArgumentException("no table for " + topic.text());
    };
  }

  Topic topic();

  Table table();

  /** Whether a reject can be written again later, without its headers and after later records. */
  default boolean isRepeatable() {
    return table().goneColumn().isEmpty();
  }

  /** The column with the time from which the retention counts, unless the table has days. */
  default Optional<String> retainedBy() {
    return Optional.empty();
  }

  /**
   * Adds the rows of a record; of rows with the same key the newest counts.
   *
   * @throws RejectedException if the record does not fit the table; its rows are ignored
   */
  void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException;
}
