package io.weir.lab.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.alarm.StatusPlan;
import io.weir.v1.AlarmState;
import io.weir.v1.SensorStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A partition of weir.status: each transition of a sensor's state and of its alarms that had to be
 * there, by {@link NaiveStatus}, and those that are; and the events of alarms that have to be
 * elsewhere. One thread.
 */
final class StatusCheck {
  private static final String STATE = "SENSOR_STATE_";

  /** How often each is due, less how often it was found; by their words. */
  private final Map<String, Integer> owed = new HashMap<>();

  private final List<ByteString> alarms = new ArrayList<>();
  private long found;

  /** Receives what must be there. */
  NaiveStatus oracle(StatusPlan plan) {
    return new NaiveStatus(
        plan, line -> count(line, 1), event -> alarms.add(AlarmCheck.bytes(event)));
  }

  void take(ConsumerRecord<byte[], byte[]> record) throws InvalidProtocolBufferException {
    found++;
    String line =
        record.value() == null
            ? new String(record.key(), StandardCharsets.UTF_8)
            : line(SensorStatus.parseFrom(record.value()));
    count(line, -1);
  }

  private void count(String line, int change) {
    owed.merge(line, change, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** A record in the notation of {@link NaiveStatus}. */
  static String line(SensorStatus status) {
    return NaiveStatus.statusLine(
        status.getSensorId(),
        status.getState().name().substring(STATE.length()),
        status.getSinceMs(),
        status.getLastTimestampMs(),
        status.getGatewayId(),
        status.getAlarmsList().stream().map(StatusCheck::line).toList());
  }

  private static String line(AlarmState alarm) {
    return NaiveStatus.stateLine(
        alarm.getRule(),
        alarm.getLevel(),
        alarm.getActive(),
        alarm.getSinceMs(),
        alarm.getValue(),
        alarm.getPriority());
  }

  void report(Findings findings) {
    owed.forEach(
        (line, times) -> {
          if (times > 0) {
            findings.wrongRecord("status that is missing: " + line);
          } else if (times < 0) {
            findings.wrongRecord("status that was not due, or came again: " + line);
          }
        });
  }

  /** Records of status. */
  long found() {
    return found;
  }

  /** The event of each transition that an alarm had to make, in their order. */
  List<ByteString> alarms() {
    return List.copyOf(alarms);
  }
}
