package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.Groups;
import java.io.IOException;

/**
 * All that a task keeps of its partition of parts of groups: windows of groups ({@link
 * GroupEntries}), and how far it has come.
 */
public final class GroupState extends LoggedState {
  private final Groups groups;
  private final GroupEntries entries;

  /**
   * Log time passes between two records by the longer of quiet and hold at the most: while nobody
   * is there, no window is dropped.
   */
  public GroupState(GroupSpec spec) {
    super(Math.max(spec.quietMs(), spec.holdMs()));
    this.groups = new Groups(spec);
    this.entries = new GroupEntries(groups);
  }

  public Groups groups() {
    return groups;
  }

  @Override
  public long dueMs() {
    return appendMsOf(groups.nextDueMs());
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    entries.flush(log);
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case GroupEntries.WINDOW, GroupEntries.PART, GroupEntries.DROPPED ->
          entries.restore(key, value);
      default -> throw StateMismatchException.ofKind(key[0]);
    }
  }

  @Override
  void writeNumbers(CodedOutputStream out) throws IOException {
    out.writeSInt64NoTag(groups.droppedToMs());
  }

  @Override
  void readNumbers(CodedInputStream in) throws IOException {
    groups.restoreDroppedTo(in.readSInt64());
  }

  @Override
  public void resume() {
    if (!groups.resume()) {
      throw new StateMismatchException("a part of a group's window is missing in the changelog");
    }
  }

  @Override
  void clearEntries() {
    groups.clear();
  }
}
