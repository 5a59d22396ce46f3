package io.weir.fetch;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * How many bytes of records one poll hands over. Kafka bounds their number, and compressed bytes:
 * 256 records of 1 MiB each travel in some kB. Once the budget is used, a record is refused, and so
 * comes first with the next poll; the first record of a poll is always handed over. For one
 * consumer.
 */
public final class PollBudget {
  /** What a record costs in memory beside all that. */
  private static final int RECORD_BYTES = 128;

  private final long budget;
  private long used;

  /** Of the key that was read last, while its record's value may still come. */
  private long ofKey;

  /**
   * @param bytes of keys, values and headers after which a poll ends
   */
  public PollBudget(long bytes) {
    this.budget = bytes;
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

  /** Uses it for a record that neither of them reads. */
  void useEmpty(Header[] headers) {
    refuseBeyondBudget(used);
    used += RECORD_BYTES + bytesOf(Arrays.asList(headers));
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
      throw new SerializationException("the poll is full: this record comes with the next one");
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
