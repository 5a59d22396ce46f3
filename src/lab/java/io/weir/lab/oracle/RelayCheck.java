package io.weir.lab.oracle;

import io.weir.v1.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * One of two applications on the topic of events: whether each event of its keys was handled once,
 * in order, or is a dead letter once. Records of a partition are taken in their order. One thread.
 */
public final class RelayCheck {
  private static final long LONGEST_GAP_MS = 60_000;

  private final String keys;
  private final NaiveRules rules;
  private final Map<Integer, Long> readTo;
  private final Map<Integer, NaiveEvents> partitions = new HashMap<>();
  private final Map<Integer, LogTime> times = new HashMap<>();
  private final Map<String, List<Event>> accepted = new LinkedHashMap<>();
  private final Map<String, List<String>> emitted = new HashMap<>();
  private final Map<String, Integer> deadLetters = new HashMap<>();
  private long unread;

  /**
   * @param keys what its keys begin with
   * @param readTo up to which offset of each partition it had read when it was stopped
   */
  public RelayCheck(String keys, NaiveRules rules, Map<Integer, Long> readTo) {
    this.keys = keys;
    this.rules = rules;
    this.readTo = Map.copyOf(readTo);
  }

  /** Takes a record of the events. */
  public void event(ConsumerRecord<byte[], byte[]> record) {
    int partition = record.partition();
    if (record.offset() >= readTo.getOrDefault(partition, 0L)) {
      unread += NaiveRecord.isTick(record) ? 0 : 1;
      return;
    }
    LogTime time = times.computeIfAbsent(partition, any -> new LogTime(LONGEST_GAP_MS));
    time.record(record.timestamp());
    NaiveEvents events =
        partitions.computeIfAbsent(
            partition, any -> new NaiveEvents(NaiveEvents.Kind.HAPPENED, partition, rules));
    for (NaiveEvents.Accepted each : events.take(record, time.nowMs())) {
      String key = each.event().getKey();
      if (key.startsWith(keys)) {
        accepted.computeIfAbsent(key, any -> new ArrayList<>()).add(each.event());
      }
    }
  }

  /** Takes what was emitted with a key: the subject of its event and how many there were. */
  public void emitted(String key, String value) {
    if (key.startsWith(keys)) {
      emitted.computeIfAbsent(key, any -> new ArrayList<>()).add(value);
    }
  }

  /** Takes an event whose last attempt failed. */
  public void deadLetter(Event event) {
    if (event.getKey().startsWith(keys)) {
      deadLetters.merge(event.getSubject(), 1, Integer::sum);
    }
  }

  /** The subjects of the events that were handled. */
  public Set<String> handled() {
    Set<String> subjects = new HashSet<>();
    emitted.values().forEach(values -> values.forEach(value -> subjects.add(subject(value))));
    return subjects;
  }

  /** How often each subject is among the events that were accepted. */
  public Map<String, Integer> acceptedSubjects() {
    Map<String, Integer> subjects = new HashMap<>();
    accepted
        .values()
        .forEach(
            events -> events.forEach(event -> subjects.merge(event.getSubject(), 1, Integer::sum)));
    return subjects;
  }

  /** The subjects of events that were refused because their sender's broker is ahead in time. */
  public Set<String> subjectsAhead() {
    Set<String> subjects = new HashSet<>();
    for (NaiveEvents partition : partitions.values()) {
      for (Event event : partition.ahead()) {
        if (event.getKey().startsWith(keys)) {
          subjects.add(event.getSubject());
        }
      }
    }
    return subjects;
  }

  private static String subject(String value) {
    return value.substring(0, value.indexOf(' '));
  }

  /** Adds what differs, and what waits: its calls fail still. */
  public void report(Findings findings, Waits waits) {
    waits.add("unread records of keys " + keys, unread);
    accepted.forEach((key, events) -> report(key, events, findings, waits));
    emitted.keySet().stream()
        .filter(key -> !accepted.containsKey(key))
        .forEach(key -> findings.doubled(emitted.get(key).size(), "emissions of key " + key));
  }

  private void report(String key, List<Event> events, Findings findings, Waits waits) {
    List<String> values = emitted.getOrDefault(key, List.of());
    Set<String> handled = new HashSet<>();
    values.forEach(value -> handled.add(subject(value)));
    List<String> due = new ArrayList<>();
    for (Event event : events) {
      String subject = event.getSubject();
      int letters = deadLetters.getOrDefault(subject, 0);
      if (handled.contains(subject)) {
        due.add(subject + " " + (due.size() + 1));
      } else if (letters == 0) {
        waits.add("events that are handled again", 1);
        findings.lost(1, subject + " of key " + key + " was not handled, and is no dead letter");
      }
      if (letters + (handled.contains(subject) ? 1 : 0) > 1) {
        findings.doubled(1, subject + " of key " + key + " was handled, and is a dead letter");
      }
      List<String> words = List.of(event.getType().split(" "));
      boolean mayFail =
          words.contains(RelayWords.FAILS_ALWAYS) || words.contains(RelayWords.FAILS_AT_FIRST);
      if (letters > 0 && !mayFail
          || handled.contains(subject) && words.contains(RelayWords.FAILS_ALWAYS)) {
        findings.wrongRecord(subject + " of key " + key + " does not do what its type says");
      }
    }
    if (!due.equals(values)) {
      int same = 0;
      while (same < Math.min(due.size(), values.size()) && due.get(same).equals(values.get(same))) {
        same++;
      }
      findings.wrongRecord(
          "key %s: %d events handled, %d due, the first %d in their order; then %s must be %s"
              .formatted(
                  key,
                  values.size(),
                  due.size(),
                  same,
                  same < values.size() ? values.get(same) : "nothing",
                  same < due.size() ? due.get(same) : "nothing"));
    }
  }

  /** Events of its keys that count. */
  public long accepted() {
    return accepted.values().stream().mapToLong(List::size).sum();
  }

  /** Dead letters of calls that failed at each attempt. */
  public long deadLetters() {
    return deadLetters.values().stream().mapToLong(Integer::longValue).sum();
  }
}
