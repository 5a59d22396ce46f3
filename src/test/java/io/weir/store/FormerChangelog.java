package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes what the version before would have: records of changes of format 1, 63 at the most. */
final class FormerChangelog implements ChangeLog {
  private final ChangeLog log;

  FormerChangelog(ChangeLog log) {
    this.log = log;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    try {
      if (key[0] == 'D') {
        byte[] former = record(value);
        CodedInputStream in = CodedInputStream.newInstance(former);
        in.readUInt32();
        long record = in.readUInt64();
        if (record > 63) {
          throw new IllegalStateException("the former ring has no room for record " + record);
        }
        log.put(StateKey.changes((int) (record % 64)), former);
      } else if (key[0] == 'G' && value != null) {
        log.put(key, gateway(value));
      } else {
        log.put(key, value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without what format 1 had not. */
  private static byte[] record(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    in.readUInt32();
    out.writeUInt32NoTag(1);
    out.writeUInt64NoTag(in.readUInt64());
    in.readUInt64();
    in.readUInt32();
    out.writeUInt64NoTag(in.readUInt64());
    out.writeSInt64NoTag(in.readSInt64());
    int deleted = in.readUInt32();
    out.writeUInt32NoTag(deleted);
    for (int i = 0; i < deleted; i++) {
      out.writeSInt32NoTag(in.readSInt32());
    }
    out.writeUInt32NoTag(in.readUInt32());
    int deletedGateways = in.readUInt32();
    for (int i = 0; i < deletedGateways; i++) {
      in.readSInt32();
    }
    if (in.readUInt32() != 0) {
      throw new IllegalStateException("the former records had no gateways");
    }
    int rest = 0;
    for (int i = 0; i < 11; i++) {
      int length = in.readUInt32();
      if (i < 10) {
        out.writeUInt32NoTag(length);
        rest += length;
      }
    }
    out.writeRawBytes(in.readRawBytes(rest));
    out.flush();
    return bytes.toByteArray();
  }

  /** The same in format 2. */
  static byte[] gateway(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    in.readUInt32();
    in.readUInt32();
    in.readUInt64();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(2);
    bytes.write(value, in.getTotalBytesRead(), value.length - in.getTotalBytesRead());
    return bytes.toByteArray();
  }
}
