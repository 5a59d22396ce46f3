package io.weir.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.TimestampExtractor;

/** A record's append time, and no other time: a gateway could set that. */
public final class AppendTimeExtractor implements TimestampExtractor {
  /** The readings topic does not carry append times: a person decides. */
  public static final class NotAppendTimeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotAppendTimeException(String message) {
      super(message);
    }
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
      throw new NotAppendTimeException(
          record.topic()
              + " partition "
              + record.partition()
              + " offset "
              + record.offset()
              + " carries "
              + record.timestampType()
              + ", allowed is LogAppendTime: set message.timestamp.type=LogAppendTime on the topic"
              + " and let the records before it expire");
    }
    return record.timestamp();
  }
}
