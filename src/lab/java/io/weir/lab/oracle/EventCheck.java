package io.weir.lab.oracle;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.reading.OwnSequences;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A partition of weir.scheduled, weir.events and weir.folded, and the dead letters of the first
 * two: whether there came of it what had to come, up to where the application had read. Records of
 * a topic are taken in their order, topics in any. One thread.
 */
public final class EventCheck {
  private static final String ONCE = "once";

  private final TopicNames topics;
  private final NaiveEventRules rules;
  private final Map<String, Long> readTo;
  private final DeadLetterCounts deadLetters;
  private final LogTime scheduledTime = new LogTime(60_000);
  private final LogTime eventsTime;
  private final NaiveEvents scheduled;
  private final NaiveEvents happened;
  private final NaiveTimers timers = new NaiveTimers();
  private final NaiveFolds folds;
  private final OwedMessages<Event> due;
  private final OwedMessages<FoldedEvent> folded;

  /** In which order events came due, as hashes of them, and in which they had to. */
  private final List<Integer> dueInOrder = new ArrayList<>();

  private final List<Integer> foundInOrder = new ArrayList<>();
  private final Map<String, FoldedEvent> lastOfName = new HashMap<>();
  private final List<Long> latenessMs = new ArrayList<>();

  /** By the names of folds. */
  private final Map<String, Long> foldsDueMs = new HashMap<>();

  private final List<Long> foldLatenessMs = new ArrayList<>();
  private final Findings broken = new Findings();
  private long events;
  private final Map<String, Long> unread = new HashMap<>();

  /**
   * @param readTo up to which offset of each topic the application had read when it was stopped
   */
  public EventCheck(
      TopicNames topics, NaiveEventRules rules, int partition, Map<String, Long> readTo) {
    this.topics = topics;
    this.rules = rules;
    this.readTo = Map.copyOf(readTo);
    this.deadLetters = new DeadLetterCounts(topics.deadLetters());
    this.eventsTime = new LogTime(rules.longestFoldGapMs());
    this.scheduled =
        new NaiveEvents(NaiveEvents.Kind.SCHEDULED, partition, rules.gateways(), deadLetters);
    this.happened =
        new NaiveEvents(NaiveEvents.Kind.HAPPENED, partition, rules.gateways(), deadLetters);
    this.due =
        new OwedMessages<>(
            "event that came due in partition " + partition,
            event -> event.getKey() + " " + event.getId() + " " + event.getDueMs());
    this.folded = new OwedMessages<>("fold of partition " + partition, EventCheck::name);
    this.folds = new NaiveFolds(rules, this::expect);
  }

  /** Takes a record of any of the topics. */
  public void take(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.topic().equals(topics.of(Topic.SCHEDULED))) {
        scheduled(record);
      } else if (record.topic().equals(topics.of(Topic.EVENTS))) {
        cameDue(record);
        happened(record);
      } else if (record.topic().equals(topics.of(Topic.FOLDED))) {
        fold(FoldedEvent.parseFrom(record.value()), record.timestamp());
      } else if (isOfEvents(record, topics)) {
        NaiveEvents.found(record).forEach(deadLetters::found);
      }
    } catch (InvalidProtocolBufferException e) {
      broken.wrongRecord(record.topic() + " offset " + record.offset() + ": " + e.getMessage());
    }
  }

  /** Whether a record is a dead letter of events, and none of readings. */
  static boolean isOfEvents(ConsumerRecord<byte[], byte[]> record, TopicNames topics) {
    if (!record.topic().equals(topics.deadLetters())) {
      return false;
    }
    String origin = NaiveEvents.origin(record);
    return origin.equals(topics.byTopic().get(Topic.EVENTS))
        || origin.equals(topics.byTopic().get(Topic.SCHEDULED));
  }

  private boolean wasRead(ConsumerRecord<byte[], byte[]> record) {
    boolean wasRead = record.offset() < readTo.getOrDefault(record.topic(), 0L);
    if (!wasRead && !NaiveRecord.isTick(record)) {
      unread.merge(record.topic(), 1L, Long::sum);
    }
    return wasRead;
  }

  private void scheduled(ConsumerRecord<byte[], byte[]> record) {
    if (!wasRead(record)) {
      return;
    }
    scheduledTime.record(record.timestamp());
    due(record);
    scheduled
        .take(record, scheduledTime.nowMs())
        .forEach(accepted -> timers.order(accepted.event()));
    due(record);
  }

  private void due(ConsumerRecord<byte[], byte[]> record) {
    timers.due(record.timestamp()).forEach(this::expect);
    timers.expired().forEach(event -> scheduled.expired(record.topic(), event));
  }

  private void expect(Event event) {
    due.expect(event);
    dueInOrder.add(event.hashCode());
  }

  private void cameDue(ConsumerRecord<byte[], byte[]> record)
      throws InvalidProtocolBufferException {
    EventBatch batch = EventBatch.parseFrom(record.value());
    if (!batch.getGatewayId().startsWith(OwnSequences.PREFIX)) {
      return;
    }
    for (Event event : batch.getEventsList()) {
      if (event.getDueMs() == 0) {
        continue;
      }
      due.found(event);
      foundInOrder.add(event.hashCode());
      long lateMs = record.timestamp() - event.getDueMs();
      if (lateMs < 0 && rules.oneClock()) {
        broken.wrongRecord("early by " + -lateMs + " ms: " + event.getKey() + " " + event.getId());
      }
      if (event.getType().equals(ONCE)) {
        latenessMs.add(lateMs);
      }
    }
  }

  private void happened(ConsumerRecord<byte[], byte[]> record) {
    if (!wasRead(record)) {
      return;
    }
    eventsTime.record(record.timestamp());
    folds.passed(eventsTime.nowMs());
    for (NaiveEvents.Accepted each : happened.take(record, eventsTime.nowMs())) {
      events++;
      folds.add(
          each.event(), record.offset(), each.index(), eventsTime.nowMs(), record.timestamp());
    }
  }

  private static String name(FoldedEvent fold) {
    return fold.getKey() + " " + fold.getOffset() + " " + fold.getIndex();
  }

  private void expect(FoldedEvent fold, long dueMs) {
    folded.expect(fold);
    if (dueMs != NaiveFolds.NEVER) {
      foldsDueMs.put(name(fold), dueMs);
    }
  }

  private void fold(FoldedEvent fold, long appendMs) {
    folded.found(fold);
    Long dueMs = foldsDueMs.remove(name(fold));
    if (dueMs != null) {
      foldLatenessMs.add(appendMs - dueMs);
    }
    FoldedEvent before = lastOfName.put(fold.getKey() + " " + fold.getType(), fold);
    if (before != null && before.getOffset() > fold.getOffset()) {
      broken.wrongRecord("folds of " + fold.getKey() + " are not in the order of their events");
    }
  }

  /** Everything that differs. */
  public Findings findings() {
    Findings findings = new Findings();
    findings.add(broken);
    due.report(findings);
    if (due.isEven() && !dueInOrder.equals(foundInOrder)) {
      findings.wrongRecord("events came due in another order than they had to");
    }
    folded.report(findings);
    deadLetters.report(findings);
    return findings;
  }

  /** Adds records that were not read, folds that have not ended, and timers due by a time. */
  public Waits waiting(long nowMs, Waits waits) {
    unread.forEach((topic, count) -> waits.add("unread records of " + topic, count));
    waits.add("folds", folds.open());
    waits.add("due timers", timers.dueBy(nowMs));
    return waits;
  }

  /** What there was. */
  public EventCounts counts() {
    return new EventCounts(
        scheduled.offered() + happened.offered(),
        scheduled.repeated() + happened.repeated(),
        deadLetters.found(),
        events,
        folded.found(),
        timers.ordered(),
        timers.replaced(),
        timers.cancelled(),
        timers.missed(),
        due.found(),
        timers.waiting(),
        latenessMs,
        foldLatenessMs);
  }

  /** The type of events that are scheduled once and ahead of time: their lateness is measured. */
  public static String scheduledOnce() {
    return ONCE;
  }
}
