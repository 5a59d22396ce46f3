package io.weir.internal.sink;

import io.weir.topic.Topic;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Maps records of a topic to rows of a table. Stateless. */
interface TableMapping {
  /** The mapping of a topic. */
  static TableMapping of(Topic topic) {
    return switch (topic) {
      case WINDOWS -> new SummaryMapping("weir_windows", topic);
      case ROLLUPS -> new SummaryMapping("weir_rollups", topic);
      case HOPPING -> new SummaryMapping("weir_hopping", topic);
      case GROUPS -> new GroupMapping();
      case STATUS -> new StatusMapping();
      case FOLDED -> new EntityMapping();
      default -> throw new IllegalArgumentException("no table for " + topic.text());
    };
  }

  Topic topic();

  Table table();

  /**
   * Adds the rows of a record; of rows with the same key the newest counts.
   *
   * @throws RejectedException if the record does not fit the table; its rows are ignored
   */
  void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException;
}
