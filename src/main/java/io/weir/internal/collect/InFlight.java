package io.weir.internal.collect;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The column in_flight: a version (1 byte, value 1), then for each batch the numbers of its channel
 * and partition (1 byte each), boot id and sequence (8 bytes each, big-endian), length (4 bytes)
 * and value. Stateless.
 */
final class InFlight {
  private static final int VERSION = 1;
  private static final byte[] NOTHING = {VERSION};

  private InFlight() {}

  static byte[] encode(List<SentBatch> batches) {
    if (batches.isEmpty()) {
      return NOTHING.clone();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      for (SentBatch batch : batches) {
        out.writeByte(batch.channel().ordinal());
        out.writeByte(batch.partition());
        out.writeLong(batch.bootId());
        out.writeLong(batch.sequence());
        out.writeInt(batch.value().length);
        out.write(batch.value());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws CollectRefusedException if a newer version wrote it
   */
  static List<SentBatch> decode(byte[] column) {
    List<SentBatch> batches = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      if (in.readByte() != VERSION) {
        throw new CollectRefusedException(
            "weir_collector.in_flight was written by a newer version of weir collect");
      }
      while (in.available() > 0) {
        Channel channel = Channel.values()[in.readUnsignedByte()];
        int partition = in.readUnsignedByte();
        long bootId = in.readLong();
        long sequence = in.readLong();
        byte[] value = new byte[in.readInt()];
        in.readFully(value);
        batches.add(new SentBatch(channel, partition, bootId, sequence, value));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return batches;
  }
}
