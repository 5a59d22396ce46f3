package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The gaps of a partition: records that were deleted before they were read, or were lost with a
 * state. As an entry of the changelog; there is none without a gap. Not thread-safe.
 *
 * <pre>
 * withheld   format | start of the first window that is not withheld, in ms, zigzag
 *            | newest gap: from, to, life, 8 bytes | whether it is accepted
 * </pre>
 */
public final class Gaps {
  private static final int MOST_BYTES = 64;

  private Gap newest;
  private boolean accepted;
  private boolean unwritten;

  /** A gap was found. */
  void add(Gap gap) {
    newest = gap;
    accepted = false;
    unwritten = true;
  }

  /**
   * The operators have accepted the loss of a gap, and of all gaps before it.
   *
   * @return whether it is the newest one
   */
  boolean accept(Gap gap) {
    if (!gap.equals(newest)) {
      return false;
    }
    accepted = true;
    unwritten = true;
    return true;
  }

  /** Whether the loss of the newest gap was accepted. */
  boolean isAccepted() {
    return accepted;
  }

  /** The newest gap; empty for none. */
  public Optional<Gap> newest() {
    return Optional.ofNullable(newest);
  }

  /** Writes it if it changed since it was last written. */
  void flush(long beforeMs, ChangeLog log) throws IOException {
    if (unwritten) {
      byte[] buffer = new byte[MOST_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      StateFormat.write(out);
      out.writeSInt64NoTag(beforeMs);
      out.writeUInt64NoTag(newest.from());
      out.writeUInt64NoTag(newest.to());
      out.writeFixed64NoTag(newest.life().id());
      out.writeBoolNoTag(accepted);
      log.put(StateKey.withheld(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      unwritten = false;
    }
  }

  /** Restores it; returns before when windows are withheld. */
  long restore(byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    long beforeMs = in.readSInt64();
    long from = in.readUInt64();
    long to = in.readUInt64();
    newest = new Gap(new Life(in.readFixed64()), from, to);
    accepted = in.readBool();
    return beforeMs;
  }

  void clear() {
    newest = null;
    accepted = false;
    unwritten = false;
  }
}
