package io.weir.internal.serve.memory;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.v1.GroupSummary;
import java.util.Optional;

/** A group of sensors: how many there are, and its newest summary. */
final class Group {
  private static final int OBJECTS_BYTES = 200;

  final String name;
  int sensors;
  int silent;
  int alarms;
  byte[] newest;
  long newestStartMs = Long.MIN_VALUE;
  long chain = RecordRing.NONE;

  Group(String name) {
    this.name = name;
  }

  int bytes() {
    return OBJECTS_BYTES + name.length() + (newest == null ? 0 : newest.length);
  }

  GroupView view() {
    try {
      Optional<GroupSummary> summary =
          newest == null ? Optional.empty() : Optional.of(GroupSummary.parseFrom(newest));
      return new GroupView(name, sensors, silent, alarms, summary);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e); // It was written by us.
    }
  }
}
