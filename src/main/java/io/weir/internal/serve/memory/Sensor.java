package io.weir.internal.serve.memory;

import io.weir.internal.wire.Protobuf;
import io.weir.v1.AlarmState;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import io.weir.v1.WindowSummary;
import java.util.Optional;

/** What is held of a sensor. Messages are kept as bytes: they take a third of the memory. */
final class Sensor {
  /** Of its objects and their place in the table, without the content of arrays. */
  private static final int OBJECTS_BYTES = 232;

  final String id;
  final Group group;
  final int partition;
  byte[] newest;
  long newestOffset = -1;
  long newestStartMs = Long.MIN_VALUE;
  byte[] status;

  /** Position of its newest record in the ring. */
  long chain = RecordRing.NONE;

  SensorState state = SensorState.SENSOR_STATE_UNSPECIFIED;
  int activeAlarms;

  Sensor(String id, Group group, int partition) {
    this.id = id;
    this.group = group;
    this.partition = partition;
  }

  /** An estimate of its memory. */
  int bytes() {
    return bareBytes(id) + length(newest) + length(status);
  }

  /** The same without summary and status. */
  static int bareBytes(String id) {
    return OBJECTS_BYTES + id.length();
  }

  private static int length(byte[] array) {
    return array == null ? 0 : array.length;
  }

  Optional<SensorStatus> parsedStatus() {
    return Optional.ofNullable(status)
        .map(bytes -> Protobuf.own(SensorStatus.getDefaultInstance(), bytes));
  }

  private Optional<WindowSummary> parsedNewest() {
    return Optional.ofNullable(newest)
        .map(bytes -> Protobuf.own(WindowSummary.getDefaultInstance(), bytes));
  }

  SensorView view() {
    return new SensorView(id, group.name, partition, parsedNewest(), newestOffset, parsedStatus());
  }

  static int activeOf(SensorStatus status) {
    return (int) status.getAlarmsList().stream().filter(AlarmState::getActive).count();
  }
}
