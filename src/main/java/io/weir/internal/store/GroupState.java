package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.Groups;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import java.io.IOException;
import java.util.Arrays;

/**
 * All that a task keeps of its partition of parts of groups: windows of groups ({@link
 * GroupEntries}), how far it has come, and, once records were deleted unread, in {@code L} the
 * format and before when windows are left out, in milliseconds, zigzag.
 */
public final class GroupState extends LoggedState {
  private static final int MOST_KNOWN_FROM_BYTES = 16;

  private final Groups groups;
  private final GroupEntries entries;
  private final long deletedThroughMs;
  private boolean knownFromUnwritten;

  /**
   * Log time passes between two records by the longer of quiet and hold at the most: while nobody
   * is there, no window is dropped.
   *
   * @param gatewayRules of the readings: how far their times may be ahead
   */
  public GroupState(GroupSpec spec, GatewayRules gatewayRules) {
    super(Math.max(spec.quietMs(), spec.holdMs()));
    this.deletedThroughMs = PartitionState.deletedThroughMs(gatewayRules);
    this.groups = new Groups(spec);
    this.entries = new GroupEntries(groups);
  }

  public Groups groups() {
    return groups;
  }

  /** The windows that are left out are those that a partition of readings withholds. */
  @Override
  public void deletedUnread(long records, boolean wereApplied, long appendMs) {
    deletedBefore(position().time().latestWith(appendMs));
  }

  /**
   * Parts, or summaries that were to become parts, were deleted before they were read.
   *
   * @param appendMs append time of the first record that is left
   */
  public void deletedBefore(long appendMs) {
    groups.knownFrom(WindowSpec.saturatedSum(appendMs, deletedThroughMs));
    knownFromUnwritten = true;
  }

  @Override
  public long dueMs() {
    return appendMsOf(groups.nextDueMs());
  }

  @Override
  void flushEntries(ChangeLog log) throws IOException {
    entries.flush(log);
    if (knownFromUnwritten) {
      byte[] buffer = new byte[MOST_KNOWN_FROM_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      StateFormat.write(out);
      out.writeSInt64NoTag(groups.knownFromMs());
      log.put(StateKey.withheld(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      knownFromUnwritten = false;
    }
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case GroupEntries.WINDOW, GroupEntries.PART, GroupEntries.DROPPED ->
          entries.restore(key, value);
      case StateKey.WITHHELD -> groups.restoreKnownFrom(StateFormat.read(value).readSInt64());
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
    knownFromUnwritten = false;
  }
}
