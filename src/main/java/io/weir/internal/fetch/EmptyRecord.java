package io.weir.internal.fetch;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.Record;

/**
 * A record without key and value. No deserializer is called for it, so it is counted when Kafka
 * 4.3.1 reads its headers, which happens at the same point.
 */
final class EmptyRecord implements Record {
  private final Record record;
  private final PollBudget budget;

  EmptyRecord(Record record, PollBudget budget) {
    this.record = record;
    this.budget = budget;
  }

  @Override
  public Header[] headers() {
    Header[] headers = record.headers();
    budget.useEmpty(headers);
    return headers;
  }

  @Override
  public boolean hasMagic(byte magic) {
    return record.hasMagic(magic);
  }

  @Override
  public boolean hasTimestampType(TimestampType type) {
    return record.hasTimestampType(type);
  }

  @Override
  public long offset() {
    return record.offset();
  }

  @Override
  public int sequence() {
    return record.sequence();
  }

  @Override
  public int sizeInBytes() {
    return record.sizeInBytes();
  }

  @Override
  public long timestamp() {
    return record.timestamp();
  }

  @Override
  public void ensureValid() {
    record.ensureValid();
  }

  @Override
  public int keySize() {
    return record.keySize();
  }

  @Override
  public boolean hasKey() {
    return record.hasKey();
  }

  @Override
  public ByteBuffer key() {
    return record.key();
  }

  @Override
  public int valueSize() {
    return record.valueSize();
  }

  @Override
  public boolean hasValue() {
    return record.hasValue();
  }

  @Override
  public ByteBuffer value() {
    return record.value();
  }

  @Override
  public boolean isCompressed() {
    return record.isCompressed();
  }
}
