package io.weir.internal.app;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record of the readings topic lacks its append time: an operator must repair the topic. */
final class NotAppendTimeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotAppendTimeException(ConsumerRecord<?, ?> record) {
    super(
        record.topic()
            + " partition "
            + record.partition()
            + " offset "
            + record.offset()
            + " has "
            + record.timestampType()
            + ", expected: LogAppendTime: set message.timestamp.type=LogAppendTime on the topic,"
            + " and let the records before it expire or start with a new topic");
  }
}
