package io.weir.internal.fetch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Limits the bytes of records that a poll returns. Kafka limits only their number and the
 * compressed bytes: 256 records of 1 MiB may have some kB. Once the budget is used, a record is
 * refused and is the first of the next poll; the first record of a poll is always returned. For one
 * consumer.
 */
public final class PollBudget {
  /** Further memory of a record, in bytes. */
  private static final int RECORD_BYTES = 128;

  private long budget;
  private long used;

  /** Bytes of the last key, until its value is read. */
  private long ofKey;

  /**
   * @param bytes of keys, values and headers after which a poll ends
   */
  public PollBudget(long bytes) {
    this.budget = bytes;
  }

  /** The next polls end after as many bytes. */
  void limit(long bytes) {
    budget = bytes;
  }

  /** A poll begins. */
  public void begin() {
    used = 0;
    ofKey = 0;
  }

  /** Reads keys within the budget. */
  public Deserializer<byte[]> keys() {
    return new Bounded() {
      @Override
      void use(long bytes) {
        refuseBeyondBudget(used);
        used += bytes;
        ofKey = bytes;
      }
    };
  }

  /** Reads values within the budget. */
  public Deserializer<byte[]> values() {
    return new Bounded() {
      @Override
      void use(long bytes) {
        refuseBeyondBudget(used - ofKey);
        used += bytes;
        ofKey = 0;
      }
    };
  }

  /** Counts a record without key and value. */
  void useEmpty(Header[] headers) {
    refuseBeyondBudget(used);
    used += RECORD_BYTES + bytesOf(Arrays.asList(headers));
  }

  /** The approximate memory of a fetched record, in bytes; a function of its contents. */
  public static long bytesOf(ConsumerRecord<byte[], byte[]> record) {
    return RECORD_BYTES
        + Math.max(0, record.serializedKeySize())
        + Math.max(0, record.serializedValueSize())
        + bytesOf(record.headers());
  }

  private static long bytesOf(Iterable<Header> headers) {
    long bytes = 0;
    for (Header header : headers) {
      bytes += RecordWalk.HEADER_COST + header.key().length();
      bytes += header.value() == null ? 0 : header.value().length;
    }
    return bytes;
  }

  private void refuseBeyondBudget(long usedBefore) {
    if (usedBefore >= budget) {
      throw new SerializationException("the poll is full: the next poll returns this record");
    }
  }

  private abstract static class Bounded implements Deserializer<byte[]> {
    abstract void use(long bytes);

    @Override
    public byte[] deserialize(String topic, byte[] data) {
      return data;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
      use(data.remaining() + bytesOf(headers));
      return Utils.toArray(data);
    }
  }
}
