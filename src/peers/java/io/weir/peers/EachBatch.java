package io.weir.peers;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record is an element, and is decoded by who adds it up. */
public final class EachBatch implements KafkaRecordDeserializationSchema<RawBatch> {
  private static final long serialVersionUID = 1;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawBatch> out) {
    RawBatch batch = new RawBatch();
    batch.partition = record.partition();
    batch.offset = record.offset();
    batch.value = record.value();
    out.collect(batch);
  }

  @Override
  public TypeInformation<RawBatch> getProducedType() {
    return TypeInformation.of(RawBatch.class);
  }
}
