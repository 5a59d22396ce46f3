package io.weir.internal.fetch;

import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;

/**
 * Iterates over the records of a batch, with three exceptions. Records that cannot be decompressed
 * are replaced by a {@link OversizedBatch marker}, because a consumer that throws would throw for
 * ever. Only some records without value are returned; the others become one marker at the offset of
 * the last, because each would otherwise be a dead letter although it is less than a byte on the
 * wire. Records without key and value, for which no deserializer is called, count in the poll's
 * budget. The result depends on the batch alone. Not thread-safe.
 */
final class HandedIterator implements CloseableIterator<Record> {
  /** Limit per batch on a topic whose records have values. */
  static final int MOST_WITHOUT_VALUE = 8;

  /** For a topic on which a record without value is a tombstone. */
  static final int ALL_WITHOUT_VALUE = Integer.MAX_VALUE;

  private static final long NOT_LOOKED_AT = -1;

  private final RecordBatch batch;
  private final PollBudget budget;
  private final int mostWithoutValue;

  /** Null if the first record cannot be decompressed. */
  private final CloseableIterator<Record> records;

  /** The next record; null at the end. */
  private Record next;

  private long nextOffset;
  private int withoutValue;
  private long firstMerged;
  private long lastWithoutValue = NOT_LOOKED_AT;
  private boolean brokenOff;

  HandedIterator(
      RecordBatch batch, PollBudget budget, int mostWithoutValue, BufferSupplier buffers) {
    this.batch = batch;
    this.budget = budget;
    this.mostWithoutValue = mostWithoutValue;
    this.nextOffset = batch.baseOffset();
    this.records = begin(buffers);
    step();
  }

  private CloseableIterator<Record> begin(BufferSupplier buffers) {
    try {
      return batch.streamingIterator(buffers);
    } catch (RuntimeException | Error e) {
      rethrowIfOurs(e);
      return null;
    }
  }

  /**
   * Rethrows errors that the bytes did not cause; the snappy library throws a special Error for
   * invalid bytes.
   */
  private static void rethrowIfOurs(Throwable e) {
    if (e instanceof VirtualMachineError || e instanceof LinkageError) {
      throw (Error) e;
    }
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Record next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    Record handed = next;
    step();
    return handed.hasKey() || handed.hasValue() ? handed : new EmptyRecord(handed, budget);
  }

  private void step() {
    next = null;
    while (next == null && !brokenOff) {
      Record read = read();
      if (read == null) {
        return;
      }
      nextOffset = read.offset() + 1;
      next = brokenOff || read.hasValue() ? read : withoutValue(read);
    }
  }

  /** The next record, or the marker of the rest; null at the end. */
  private Record read() {
    try {
      if (records != null) {
        return records.hasNext() ? records.next() : null;
      }
    } catch (RuntimeException | Error e) {
      rethrowIfOurs(e);
    }
    brokenOff = true;
    long last = batch.lastOffset();
    return OversizedBatch.marker(batch, new OversizedBatch(Math.min(nextOffset, last), last));
  }

  /** The record, null if it is merged into a later marker, or the marker. */
  private Record withoutValue(Record record) {
    withoutValue++;
    if (withoutValue <= mostWithoutValue) {
      return record;
    }
    if (lastWithoutValue == NOT_LOOKED_AT) {
      firstMerged = record.offset();
      lastWithoutValue = lookForLast(record.offset());
    }
    if (record.offset() < lastWithoutValue) {
      return null;
    }
    int merged = withoutValue - mostWithoutValue;
    return merged == 1
        ? record
        : OversizedBatch.marker(batch, new OversizedBatch(firstMerged, record.offset(), merged));
  }

  /** Offset of the last record without value; if it cannot be found, none is merged. */
  private long lookForLast(long from) {
    long last = from;
    if (batch instanceof DefaultRecordBatch sized) {
      try (CloseableIterator<Record> all = sized.skipKeyValueIterator(BufferSupplier.create())) {
        while (all.hasNext()) {
          Record record = all.next();
          last = record.hasValue() ? last : record.offset();
        }
      } catch (RuntimeException | Error e) {
        rethrowIfOurs(e);
        return from;
      }
    }
    return last;
  }

  @Override
  public void close() {
    if (records != null) {
      records.close();
    }
  }

  /**
   * A record without key and value. No deserializer is called for it, so it is counted when Kafka
   * 4.3.1 reads its headers, which happens at the same point.
   */
  static final class EmptyRecord implements Record {
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
}
