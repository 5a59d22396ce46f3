package io.weir.internal.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordsSend;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.AbstractIterator;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;

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

  /** A batch whose records {@link HandedIterator} returns. */
  static final class HandedBatch implements RecordBatch {
    private final RecordBatch batch;
    private final PollBudget budget;
    private final int mostWithoutValue;

    HandedBatch(RecordBatch batch, PollBudget budget, int mostWithoutValue) {
      this.batch = batch;
      this.budget = budget;
      this.mostWithoutValue = mostWithoutValue;
    }

    @Override
    public CloseableIterator<Record> streamingIterator(BufferSupplier buffers) {
      return batch.isControlBatch()
          ? batch.streamingIterator(buffers)
          : new HandedIterator(batch, budget, mostWithoutValue, buffers);
    }

    @Override
    public Iterator<Record> iterator() {
      return batch.iterator();
    }

    @Override
    public void writeTo(ByteBuffer into) {
      batch.writeTo(into);
    }

    @Override
    public boolean isValid() {
      return batch.isValid();
    }

    @Override
    public void ensureValid() {
      batch.ensureValid();
    }

    @Override
    public long checksum() {
      return batch.checksum();
    }

    @Override
    public long maxTimestamp() {
      return batch.maxTimestamp();
    }

    @Override
    public TimestampType timestampType() {
      return batch.timestampType();
    }

    @Override
    public long baseOffset() {
      return batch.baseOffset();
    }

    @Override
    public long lastOffset() {
      return batch.lastOffset();
    }

    @Override
    public long nextOffset() {
      return batch.nextOffset();
    }

    @Override
    public byte magic() {
      return batch.magic();
    }

    @Override
    public long producerId() {
      return batch.producerId();
    }

    @Override
    public short producerEpoch() {
      return batch.producerEpoch();
    }

    @Override
    public boolean hasProducerId() {
      return batch.hasProducerId();
    }

    @Override
    public int baseSequence() {
      return batch.baseSequence();
    }

    @Override
    public int lastSequence() {
      return batch.lastSequence();
    }

    @Override
    public CompressionType compressionType() {
      return batch.compressionType();
    }

    @Override
    public int sizeInBytes() {
      return batch.sizeInBytes();
    }

    @Override
    public Integer countOrNull() {
      return batch.countOrNull();
    }

    @Override
    public boolean isCompressed() {
      return batch.isCompressed();
    }

    @Override
    public boolean isTransactional() {
      return batch.isTransactional();
    }

    @Override
    public OptionalLong deleteHorizonMs() {
      return batch.deleteHorizonMs();
    }

    @Override
    public int partitionLeaderEpoch() {
      return batch.partitionLeaderEpoch();
    }

    @Override
    public boolean isControlBatch() {
      return batch.isControlBatch();
    }
  }
}
