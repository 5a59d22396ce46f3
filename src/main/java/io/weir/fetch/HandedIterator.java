package io.weir.fetch;

import java.util.NoSuchElementException;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;

/**
 * The records of a batch, with three exceptions. Where the rest cannot be decompressed, there is a
 * {@link OversizedBatch marker} in its place: brokers run with other codecs, and a consumer that
 * throws would throw again and again. Of records without value no more than some are handed over;
 * those beyond are one marker at the offset of the last: less than a byte each on the wire, they
 * would be a dead letter each. And records without key and value, which no deserializer sees, count
 * in the poll's budget. What is handed over depends on the batch alone. One thread.
 */
final class HandedIterator implements CloseableIterator<Record> {
  /** Of a batch on a topic whose records have values. */
  static final int MOST_WITHOUT_VALUE = 8;

  /** On a topic where a record without value says something of its key. */
  static final int ALL_WITHOUT_VALUE = Integer.MAX_VALUE;

  private static final long NOT_LOOKED_AT = -1;

  private final RecordBatch batch;
  private final PollBudget budget;
  private final int mostWithoutValue;

  /** Null where the batch cannot even be begun. */
  private final CloseableIterator<Record> records;

  /** What comes next; null at the end. */
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

  /** Errors that are no fault of the bytes; the library of snappy has an Error of its own. */
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

  /** The record, null where it is merged into one that follows, or what they are merged into. */
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

  /** Offset of the last record without value; where it cannot be found none is merged. */
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
}
