package io.weir.internal.fetch;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.DefaultRecordsSend;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.AbstractIterator;

/** The records of a fetch, as {@link HandedBatch}es. */
final class HandedRecords implements Records {
  private final MemoryRecords records;
  private final PollBudget budget;
  private final int mostWithoutValue;

  HandedRecords(MemoryRecords records, PollBudget budget, int mostWithoutValue) {
    this.records = records;
    this.budget = budget;
    this.mostWithoutValue = mostWithoutValue;
  }

  @Override
  public Iterable<RecordBatch> batches() {
    return () -> {
      Iterator<MutableRecordBatch> all = records.batches().iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return all.hasNext();
        }

        @Override
        public RecordBatch next() {
          return new HandedBatch(all.next(), budget, mostWithoutValue);
        }
      };
    };
  }

  @Override
  public AbstractIterator<? extends RecordBatch> batchIterator() {
    return records.batchIterator();
  }

  @Override
  public Optional<RecordBatch> lastBatch() {
    return records.lastBatch();
  }

  @Override
  public boolean hasMatchingMagic(byte magic) {
    return records.hasMatchingMagic(magic);
  }

  @Override
  public Iterable<Record> records() {
    return records.records();
  }

  @Override
  public Records slice(int position, int size) {
    return records.slice(position, size);
  }

  @Override
  public int sizeInBytes() {
    return records.sizeInBytes();
  }

  @Override
  public DefaultRecordsSend<Records> toSend() {
    return records.toSend();
  }

  @Override
  public int writeTo(TransferableChannel channel, int position, int length) throws IOException {
    return records.writeTo(channel, position, length);
  }
}
