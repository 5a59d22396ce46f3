package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.window.PartitionTime;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The gaps of a partition: records that were deleted before they were read, or were lost with a
 * state. As an entry of the changelog; there is none without a gap. Not thread-safe.
 *
 * <pre>
 * withheld   format | start of the first window that is not withheld, in ms, zigzag
 *            | newest gap: from, to | whether it is accepted
 *            | offset behind the gap where the state began or was lost, 0 for none
 *            | the same start at that time, in ms, zigzag
 * </pre>
 */
public final class Gaps {
  private static final int MOST_BYTES = 64;

  private Gap newest;
  private boolean accepted;
  private long beganAt;
  private long beganBeforeMs = PartitionTime.NONE;
  private boolean unwritten;

  /**
   * A gap was found.
   *
   * @param wereApplied whether a state that was lost had applied the records
   * @param beforeMs windows that start before this are withheld
   */
  void add(Gap gap, boolean wereApplied, long beforeMs) {
    newest = gap;
    accepted = false;
    unwritten = true;
    if (gap.from() == 0 || wereApplied) {
      beganAt = gap.to();
      beganBeforeMs = beforeMs;
    }
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

  /**
   * The offset at which the state began, or continued after an earlier state was lost, and before
   * when that earlier state may have published windows in full; empty if it has read everything
   * from offset 0.
   */
  public Optional<String> began() {
    return beganAt == 0 ? Optional.empty() : Optional.of(beganAt + " " + beganBeforeMs);
  }

  /** The same, if it concerns a window. */
  public Optional<String> began(long windowStartMs) {
    return windowStartMs < beganBeforeMs ? began() : Optional.empty();
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
      out.writeBoolNoTag(accepted);
      out.writeUInt64NoTag(beganAt);
      out.writeSInt64NoTag(beganBeforeMs);
      log.put(StateKey.withheld(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      unwritten = false;
    }
  }

  /** Restores it; returns before when windows are withheld. */
  long restore(byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    long beforeMs = in.readSInt64();
    newest = new Gap(in.readUInt64(), in.readUInt64());
    accepted = in.readBool();
    beganAt = in.readUInt64();
    beganBeforeMs = in.readSInt64();
    return beforeMs;
  }

  void clear() {
    newest = null;
    accepted = false;
    beganAt = 0;
    beganBeforeMs = PartitionTime.NONE;
    unwritten = false;
  }
}
