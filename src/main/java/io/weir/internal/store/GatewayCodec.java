package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.reading.BootSequences;
import io.weir.reading.GatewaySequences;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A gateway's sequences as bytes; numbers are protobuf varints.
 *
 * <pre>
 * gateway  format | where the state has records of changes: its number, number of the record it
 *          was written with | last applied, log time in ms | fenced through
 *          | lost of evicted boots | boots
 * boot     boot id, 8 bytes little-endian | floor | highest | lost for good
 *          | 1 if the remembered above the floor have come and none below are known, else 0,
 *          plus 2 if records were deleted unread behind the highest
 *          | after 0 or 2 the ring of 1024 bits, 128 bytes
 * </pre>
 */
final class GatewayCodec {
  /** More gateways have no room in a partition. */
  private static final int MOST_NUMBER = 1 << 24;

  private static final int COMPLETE = 1;
  private static final int CUT = 2;

  private static final int WORDS = BootSequences.REMEMBERED / Long.SIZE;

  private final byte[] buffer = new byte[64 + (GatewaySequences.BOOTS_KEPT + 1) * 192];

  /**
   * @param number of the gateway in records of changes
   * @param record of changes that it is written with
   */
  byte[] encode(GatewaySequences gateway, int number, long record) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(number);
    out.writeUInt64NoTag(record);
    return encode(gateway, out);
  }

  /** Of a state without records of changes. */
  byte[] encode(GatewaySequences gateway) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    return encode(gateway, out);
  }

  private byte[] encode(GatewaySequences gateway, CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(gateway.lastAppliedMs());
    out.writeUInt64NoTag(gateway.fencedThrough());
    out.writeUInt64NoTag(gateway.lostOfEvicted());
    out.writeUInt32NoTag(gateway.boots().size());
    for (BootSequences boot : gateway.boots()) {
      out.writeFixed64NoTag(boot.bootId());
      out.writeUInt64NoTag(boot.floor());
      out.writeUInt64NoTag(boot.highest());
      out.writeUInt64NoTag(boot.lostForGood());
      out.writeUInt32NoTag((boot.complete() ? COMPLETE : 0) + (boot.isCut() ? CUT : 0));
      if (!boot.complete()) {
        for (long word : boot.bits()) {
          out.writeFixed64NoTag(word);
        }
      }
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** The sequences; the rest is put in place. */
  static GatewaySequences decode(byte[] value, GatewayMember gateway) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    int number = in.readUInt32();
    long record = in.readUInt64();
    if (number < 1 || number > MOST_NUMBER || record < 1) {
      throw new IOException("gateway " + number + " of record " + record);
    }
    gateway.writtenWhole(number, record);
    return decode(in);
  }

  /** Of a state without records of changes. */
  static GatewaySequences decode(byte[] value) throws IOException {
    return decode(StateFormat.read(value));
  }

  private static GatewaySequences decode(CodedInputStream in) throws IOException {
    long lastAppliedMs = in.readUInt64();
    long fencedThrough = in.readUInt64();
    long lostOfEvicted = in.readUInt64();
    int boots = in.readUInt32();
    if (boots < 1 || boots > GatewaySequences.BOOTS_KEPT) {
      throw new IOException("a gateway with " + boots + " boots");
    }
    List<BootSequences> kept = new ArrayList<>(boots);
    for (int i = 0; i < boots; i++) {
      kept.add(decodeBoot(in));
    }
    return new GatewaySequences(kept, fencedThrough, lostOfEvicted, lastAppliedMs);
  }

  private static BootSequences decodeBoot(CodedInputStream in) throws IOException {
    long bootId = in.readFixed64();
    long floor = in.readUInt64();
    long highest = in.readUInt64();
    long lostForGood = in.readUInt64();
    int flags = in.readUInt32();
    BootSequences boot =
        (flags & COMPLETE) != 0
            ? BootSequences.complete(bootId, floor, highest, lostForGood)
            : new BootSequences(bootId, floor, highest, lostForGood, bits(in));
    boot.restoreCut((flags & CUT) != 0);
    return boot;
  }

  private static long[] bits(CodedInputStream in) throws IOException {
    long[] bits = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      bits[i] = in.readFixed64();
    }
    return bits;
  }
}
