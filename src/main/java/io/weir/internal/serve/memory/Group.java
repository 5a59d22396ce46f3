package io.weir.internal.serve.memory;

import io.weir.internal.wire.Protobuf;
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
    Optional<GroupSummary> summary =
        Optional.ofNullable(newest)
            .map(bytes -> Protobuf.own(GroupSummary.getDefaultInstance(), bytes));
    return new GroupView(name, sensors, silent, alarms, summary);
  }
}
