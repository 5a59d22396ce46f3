package io.weir.lab.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The events of alarms on all partitions of weir.events, held one by one, as whole messages,
 * against those that had to be: a group's sensors may be of any partition of the readings. One
 * thread.
 */
public final class AlarmCheck {
  /** How often each is due, less how often it was found. */
  private final Map<ByteString, Long> owed = new HashMap<>();

  /** By sensor a hash of its alarms in the order in which they had to become active and clear. */
  private final Map<String, Integer> dueInOrder = new HashMap<>();

  private final Map<String, Integer> foundInOrder = new HashMap<>();
  private final Findings misplaced = new Findings();
  private long found;

  /** The same bytes for the same event. */
  static ByteString bytes(Event event) {
    byte[] bytes = new byte[event.getSerializedSize()];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.useDeterministicSerialization();
      event.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes);
  }

  private static Event event(ByteString bytes) {
    try {
      return Event.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Those of a partition of the readings must be there. */
  public void expect(PartitionCheck partition) {
    expect(partition.alarms());
  }

  void expect(List<ByteString> alarms) {
    for (ByteString alarm : alarms) {
      count(alarm, 1);
      follow(dueInOrder, alarm);
    }
  }

  /** Takes a record of weir.events, whatever is in it; those of a partition in their order. */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    EventBatch batch;
    try {
      batch = EventBatch.parseFrom(record.value());
    } catch (InvalidProtocolBufferException | NullPointerException e) {
      return; // Others write poison.
    }
    for (Event event : batch.getEventsList()) {
      if (event.getType().equals(NaiveAlarmEvent.TYPE)) {
        ByteString alarm = bytes(event);
        found++;
        count(alarm, -1);
        follow(foundInOrder, alarm);
        if (record.partition() != SensorPartition.of(event.getKey())) {
          misplaced.wrongRecord("alarm of " + event.getKey() + " in " + record.partition());
        }
      }
    }
  }

  private void count(ByteString alarm, long change) {
    owed.merge(alarm, change, (a, b) -> a + b == 0 ? null : a + b);
  }

  private static void follow(Map<String, Integer> inOrder, ByteString alarm) {
    inOrder.merge(
        event(alarm).getSubject(), alarm.hashCode(), (before, next) -> 31 * before + next);
  }

  /** Whether each that had to be is there once, in its sensor's order and place, and no other. */
  public boolean isExact() {
    return owed.isEmpty() && dueInOrder.equals(foundInOrder) && misplaced.areNone();
  }

  /** Everything that differs. */
  public Findings findings() {
    Findings findings = new Findings();
    findings.add(misplaced);
    OwedMessages<Event> differing = new OwedMessages<>("alarm", AlarmCheck::name);
    owed.forEach((alarm, times) -> differing.add(event(alarm), times));
    differing.report(findings);
    if (owed.isEmpty()) {
      Set<Map.Entry<String, Integer>> wrong = new HashSet<>(foundInOrder.entrySet());
      wrong.removeAll(dueInOrder.entrySet());
      wrong.forEach(
          sensor ->
              findings.wrongRecord(
                  "alarms of " + sensor.getKey() + " came in another order than they had to"));
    }
    return findings;
  }

  /**
   * What the alarm is of, and when it became active or cleared: two that differ in something else
   * are one wrong.
   */
  private static String name(Event event) {
    return String.join(
        " ",
        event.getSubject(),
        text(event, "rule"),
        text(event, "level"),
        Long.toString(event.getTimestampMs()));
  }

  private static String text(Event event, String field) {
    return event.getFieldsOrDefault(field, Value.getDefaultInstance()).getStringValue();
  }

  /** Events of alarms on the topic. */
  public long found() {
    return found;
  }
}
