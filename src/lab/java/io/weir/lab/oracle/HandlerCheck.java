package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.keyed.StartOn;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * {@link ScriptedHandler}s on the events of one partition: whether each key emitted what it had to,
 * in order, and each failed call left its dead letter, up to where the application had read.
 * Records of a topic are taken in their order, topics in any. One thread.
 */
public final class HandlerCheck {
  private static final int MOST_WAITING = 1_000;
  private static final Set<String> OF_CALLS = Set.of("HANDLER", "HANDLER_RETRY", "NOT_STARTED");

  private final int partition;
  private final long readTo;
  private final NaiveEvents events;
  private final NaiveKeys keys;
  private final LogTime time;
  private final DeadLetterCounts deadLetters;
  private final Map<String, List<String>> due = new TreeMap<>();

  /** By the subject of an event: its record. */
  private final Map<String, Long> offsets = new TreeMap<>();

  private long unread;
  private long accepted;
  private long retries;

  /**
   * @param deadLetters the topic of those
   * @param idleMs silence after which a key ends
   * @param readTo up to which offset of the events the application had read when it was stopped
   */
  public HandlerCheck(
      String deadLetters, NaiveRules rules, long idleMs, int partition, long readTo) {
    this.partition = partition;
    this.readTo = readTo;
    this.deadLetters = new DeadLetterCounts(deadLetters);
    this.events = new NaiveEvents(NaiveEvents.Kind.HAPPENED, partition, rules, this.deadLetters);
    this.keys = new NaiveKeys(StartOn.START_EVENT, idleMs, MOST_WAITING);
    this.time = new LogTime(idleMs / 2);
  }

  /** Takes a record of the events. */
  public void event(ConsumerRecord<byte[], byte[]> record) {
    if (record.offset() >= readTo) {
      unread += NaiveRecord.isTick(record) ? 0 : 1;
      return;
    }
    time.record(record.timestamp());
    List<Event> happened =
        events.take(record, time.nowMs()).stream().map(NaiveEvents.Accepted::event).toList();
    accepted += happened.size();
    happened.forEach(event -> offsets.put(event.getSubject(), record.offset()));
    keys.record(record.timestamp(), happened);
    for (String out : keys.out()) {
      String[] keyAndValue = out.split("=", 2);
      due.computeIfAbsent(keyAndValue[0], key -> new ArrayList<>()).add(keyAndValue[1]);
    }
    for (String letter : keys.deadLetters()) {
      retries += letter.startsWith("HANDLER_RETRY") ? 1 : 0;
      String subject = letter.substring(letter.indexOf(' ') + 1);
      // An event that waited names its own record, and a timer or an end the one it came due with.
      deadLetters.expect(offsets.getOrDefault(subject, record.offset()) + " " + letter);
    }
  }

  /** Takes a dead letter. */
  public void deadLetter(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException {
    String reason = header(record, DeadLetterHeaders.REASON);
    if (!OF_CALLS.contains(reason)) {
      NaiveEvents.found(record).forEach(deadLetters::found);
      return;
    }
    for (Event event : EventBatch.parseFrom(record.value()).getEventsList()) {
      String offset = header(record, DeadLetterHeaders.OFFSET);
      deadLetters.found(offset + " " + reason + " " + event.getSubject());
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  /**
   * Everything that differs.
   *
   * @param emitted what was emitted of each key, in order; those of this partition are taken away
   */
  public Findings findings(Map<String, List<String>> emitted) {
    Findings findings = new Findings();
    due.forEach((key, values) -> compare(key, values, emitted.remove(key), findings));
    deadLetters.report(findings);
    return findings;
  }

  private void compare(String key, List<String> due, List<String> found, Findings findings) {
    List<String> emitted = found == null ? List.of() : found;
    int same = 0;
    while (same < Math.min(due.size(), emitted.size()) && due.get(same).equals(emitted.get(same))) {
      same++;
    }
    if (same == due.size() && same == emitted.size()) {
      return;
    }
    String where =
        "key %s of partition %d: of %d emissions due, %d there, the first %d are right; then %s must be %s"
            .formatted(
                key,
                partition,
                due.size(),
                emitted.size(),
                same,
                same < emitted.size() ? emitted.get(same) : "nothing",
                same < due.size() ? due.get(same) : "nothing");
    if (due.size() > emitted.size()) {
      findings.lost(due.size() - emitted.size(), where);
    } else if (due.size() < emitted.size()) {
      findings.doubled(emitted.size() - due.size(), where);
    } else {
      findings.wrongRecord(where);
    }
  }

  /** Adds records that were not read, and keys that have not ended. */
  public Waits waiting(Waits waits) {
    waits.add("unread records of handlers", unread);
    waits.add("keys of handlers", keys.alive());
    return waits;
  }

  /** Events that were for handlers. */
  public long accepted() {
    return accepted;
  }

  /** Failed calls whose timer or idle end came again. */
  public long retries() {
    return retries;
  }
}
