package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.reading.OwnSequences;
import io.weir.reading.OwnSequences.Target;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * The boot id and the sequences of what a task itself writes to topics of events, as entries of the
 * changelog: {@code format | boot id or sequence, a varint}.
 */
final class OwnEntries {
  private static final int MOST_BYTES = 20;

  private final OwnSequences own;

  OwnEntries(OwnSequences own) {
    this.own = own;
  }

  /** Writes what changed since it was last written. */
  void flush(ChangeLog log) throws IOException {
    if (own.bootChanged()) {
      log.put(StateKey.ownBoot(), number(own.bootId()));
    }
    for (Map.Entry<Target, Long> sequence : own.changed().entrySet()) {
      log.put(StateKey.own(sequence.getKey()), number(sequence.getValue()));
    }
    own.written();
  }

  private static byte[] number(long number) throws IOException {
    byte[] buffer = new byte[MOST_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt64NoTag(number);
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  void restore(byte[] key, byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    if (key.length == 1) {
      own.restore(in.readUInt64());
    } else {
      own.restore(StateKey.ownTarget(key), in.readUInt64());
    }
  }
}
