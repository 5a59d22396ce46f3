package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.group.GroupSpec;
import io.weir.group.Groups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * All that a task keeps of its partition of parts of groups: windows of groups ({@link
 * GroupEntries}), and how far it has come, as {@code M}: format 1, {@link InputPosition}.
 */
public final class GroupState implements InputState {
  private static final int FORMAT = 1;

  private final Groups groups;
  private final InputPosition position;
  private final GroupEntries entries;

  /**
   * Log time passes between two records by the longer of quiet and hold at the most: while nobody
   * is there, no window is dropped.
   */
  public GroupState(GroupSpec spec) {
    this.groups = new Groups(spec);
    this.position = new InputPosition(Math.max(spec.quietMs(), spec.holdMs()));
    this.entries = new GroupEntries(groups);
  }

  public Groups groups() {
    return groups;
  }

  @Override
  public InputPosition position() {
    return position;
  }

  @Override
  public boolean awaitsTime() {
    return false; // What is due is due at a known time.
  }

  @Override
  public long dueMs() {
    long nextMs = groups.nextDueMs();
    return nextMs == Long.MAX_VALUE ? NEVER : appendMs() + nextMs - position.time().logMs();
  }

  @Override
  public void flush(ChangeLog log) {
    try {
      entries.flush(log);
      if (position.unwritten()) {
        byte[] buffer = new byte[InputPosition.MOST_BYTES + 1];
        CodedOutputStream out = CodedOutputStream.newInstance(buffer);
        out.writeUInt32NoTag(FORMAT);
        position.write(out);
        log.put(StateKey.meta(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
        position.written();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> restoreMeta(value);
        case GroupEntries.WINDOW, GroupEntries.PART, GroupEntries.DROPPED ->
            entries.restore(key, value);
        default -> throw StateMismatchException.ofKind(key[0]);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    position.read(in);
  }

  @Override
  public void resume() {
    if (!groups.resume()) {
      throw new StateMismatchException("a part of a group's window is missing in the changelog");
    }
  }

  @Override
  public void clear() {
    groups.clear();
    position.clear();
  }
}
