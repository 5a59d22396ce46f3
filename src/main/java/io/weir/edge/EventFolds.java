package io.weir.edge;

import com.google.protobuf.CodedOutputStream;
import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.internal.event.EventJudge;
import io.weir.internal.wire.EventRules;
import io.weir.v1.Event;
import io.weir.v1.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Folds events before they are sent: events with the same key, subject and type become one, with
 * the time of each field. An event that is not folded first sends the waiting folds of its key, so
 * that a key's events keep their order. If the folds exceed their memory limit, the oldest is sent
 * first. Thread-safe; callers pass the time.
 *
 * <p>Weir orders the values of a field by time, and equal times by their place in the log. Two
 * waiting folds of a key and type therefore never have the newest value of a field at the same
 * time: the earlier one is sent before the later one is accepted.
 */
final class EventFolds {
  /** Maximum overhead of a fold in memory, in bytes. */
  private static final int FOLD_BYTES = 640;

  /** The same of a field. */
  private static final int FIELD_BYTES = 320;

  /** Maximum bytes of a field and its time in an encoded event, besides name and value. */
  private static final int ENCODED_FIELD_BYTES = 40;

  /** Sends an event. */
  @FunctionalInterface
  interface Output {
    Offer offer(Event event, List<Acknowledgement> acknowledgements);
  }

  private record Name(String key, String subject, String type) implements Comparable<Name> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::key).thenComparing(Name::subject).thenComparing(Name::type);

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }

    static Name of(Event event) {
      return new Name(event.getKey(), event.getSubject(), event.getType());
    }

    long bytes() {
      return FOLD_BYTES + 2L * (key.length() + subject.length() + type.length());
    }
  }

  /** A field of a type. */
  private record Field(String type, String name) implements Comparable<Field> {
    private static final Comparator<Field> ORDER =
        Comparator.comparing(Field::type).thenComparing(Field::name);

    @Override
    public int compareTo(Field other) {
      return ORDER.compare(this, other);
    }
  }

  /** A value, and its time. */
  private record Timed(Value value, long ms) {
    static Timed of(Event event, String field, Value value) {
      return new Timed(value, event.getFieldTimestampsMsOrDefault(field, event.getTimestampMs()));
    }

    long bytes(String field) {
      return FIELD_BYTES + 2L * field.length() + value.getSerializedSize();
    }

    int encodedBytes(String field) {
      return ENCODED_FIELD_BYTES
          + 2 * CodedOutputStream.computeStringSizeNoTag(field)
          + value.getSerializedSize();
    }
  }

  /** The newest value of a field among the waiting folds of a key and type. */
  private record Newest(long ms, Waiting fold) {}

  /** The waiting folds of a key, in the order of their first events. */
  private static final class OfKey {
    private final Set<Waiting> folds = new LinkedHashSet<>();
    private final Map<Field, Newest> newest = new HashMap<>();
  }

  /** A fold that is not sent yet. */
  private static final class Waiting {
    private final Name name;
    private final OfKey ofKey;
    private final long firstNanos;
    private final Map<String, Timed> fields = new HashMap<>();
    private final List<Acknowledgement> acknowledgements = new ArrayList<>();
    private long lastNanos;
    private long timestampMs = Long.MIN_VALUE;
    private long bytes;
    private long encodedBytes;
    private int events;

    /** The first event; without its fields as soon as there is another one. */
    private Event event;

    Waiting(Name name, OfKey ofKey, long nowNanos) {
      this.name = name;
      this.ofKey = ofKey;
      this.firstNanos = nowNanos;
      this.bytes = name.bytes();
    }

    void add(Event next, Acknowledgement acknowledgement, long nowNanos) {
      lastNanos = nowNanos;
      events++;
      timestampMs = Math.max(timestampMs, next.getTimestampMs());
      if (acknowledgement != null) {
        acknowledgements.add(acknowledgement);
        bytes += QueueLimit.ACKNOWLEDGEMENT_BYTES;
      }
      next.getFieldsMap().forEach((field, value) -> add(field, Timed.of(next, field, value)));
      if (events == 1) {
        event = next;
        encodedBytes += next.getSerializedSize();
      } else if (events == 2) {
        event = event.toBuilder().clearFields().clearFieldTimestampsMs().build();
      }
    }

    private void add(String field, Timed value) {
      Timed before = fields.get(field);
      if (before != null && value.ms() < before.ms()) {
        return;
      }
      if (before != null) {
        bytes -= before.bytes(field);
        encodedBytes -= before.encodedBytes(field);
      }
      fields.put(field, value);
      bytes += value.bytes(field);
      encodedBytes += value.encodedBytes(field);
      Newest newest = ofKey.newest.get(new Field(name.type(), field));
      if (newest == null || value.ms() >= newest.ms()) {
        ofKey.newest.put(new Field(name.type(), field), new Newest(value.ms(), this));
      }
    }

    /** Whether the merged event stays within the limits. */
    boolean hasRoomFor(Event next) {
      long most = encodedBytes;
      for (Map.Entry<String, Value> field : next.getFieldsMap().entrySet()) {
        most += Timed.of(next, field.getKey(), field.getValue()).encodedBytes(field.getKey());
      }
      return fields.size() + next.getFieldsCount() <= EventJudge.MAX_FIELDS
          && most <= EventJudge.MAX_BYTES;
    }

    /** The event to send: the only one, or the merged one with the times of its fields. */
    Event event() {
      if (events == 1) {
        return event;
      }
      Event.Builder merged = event.toBuilder().setTimestampMs(timestampMs);
      fields.forEach(
          (field, value) -> {
            merged.putFields(field, value.value());
            if (value.ms() != timestampMs) {
              merged.putFieldTimestampsMs(field, value.ms());
            }
          });
      return merged.build();
    }

    boolean isDue(long nowNanos, long quietNanos, long holdNanos) {
      return nowNanos - lastNanos >= quietNanos || nowNanos - firstNanos >= holdNanos;
    }
  }

  private final long quietNanos;
  private final long holdNanos;
  private final long maxBytes;
  private final Output output;
  private final Map<Name, Waiting> waiting = new LinkedHashMap<>();
  private final Map<String, OfKey> byKey = new HashMap<>();
  private long bytes;
  private long events;
  private boolean closed;

  /**
   * @param maxBytes memory limit of all folds
   */
  EventFolds(Fold fold, long maxBytes, Output output) {
    this.quietNanos = fold.quiet().toNanos();
    this.holdNanos = fold.maxHold().toNanos();
    this.maxBytes = maxBytes;
    this.output = output;
  }

  /** Offers an event. */
  synchronized Offer offer(Event event, Acknowledgement acknowledgement, long nowNanos) {
    if (closed) {
      return Offer.CLOSED;
    }
    if (!isFolded(event)) {
      Offer before = sendAllOf(event.getKey());
      return before == Offer.ACCEPTED
          ? output.offer(event, acknowledgement == null ? List.of() : List.of(acknowledgement))
          : before;
    }
    Name name = Name.of(event);
    Offer room = makeRoom(name, event, acknowledgement);
    if (room != Offer.ACCEPTED) {
      return room;
    }
    Waiting fold = waiting.get(name);
    if (fold == null) {
      OfKey ofKey = byKey.computeIfAbsent(name.key(), key -> new OfKey());
      fold = new Waiting(name, ofKey, nowNanos);
      waiting.put(name, fold);
      ofKey.folds.add(fold);
    } else {
      bytes -= fold.bytes;
    }
    fold.add(event, acknowledgement, nowNanos);
    bytes += fold.bytes;
    events++;
    return Offer.ACCEPTED;
  }

  /** Events that are scheduled, start a key, expire or were due carry more than their fields. */
  private static boolean isFolded(Event event) {
    return !EventRules.isScheduled(event)
        && !event.getStart()
        && event.getId().isEmpty()
        && event.getEveryMs() == 0
        && event.getExpiresMs() == 0
        && event.getMissed() == 0;
  }

  /** Sends the folds that must leave before an event is added to its fold. */
  private Offer makeRoom(Name name, Event event, Acknowledgement acknowledgement) {
    long more = name.bytes() + (acknowledgement == null ? 0 : QueueLimit.ACKNOWLEDGEMENT_BYTES);
    OfKey ofKey = byKey.get(name.key());
    for (Map.Entry<String, Value> field : event.getFieldsMap().entrySet()) {
      Timed value = Timed.of(event, field.getKey(), field.getValue());
      more += value.bytes(field.getKey());
      Newest newest =
          ofKey == null ? null : ofKey.newest.get(new Field(name.type(), field.getKey()));
      boolean isOfOther = newest != null && !newest.fold().name.equals(name);
      Offer sent = isOfOther && newest.ms() == value.ms() ? send(newest.fold()) : Offer.ACCEPTED;
      if (sent != Offer.ACCEPTED) {
        return sent;
      }
    }
    Waiting same = waiting.get(name);
    Offer sent = same == null || same.hasRoomFor(event) ? Offer.ACCEPTED : send(same);
    while (sent == Offer.ACCEPTED && bytes + more > maxBytes && !waiting.isEmpty()) {
      sent = send(waiting.values().iterator().next());
    }
    return sent;
  }

  private Offer sendAllOf(String key) {
    OfKey ofKey = byKey.get(key);
    for (Waiting fold : ofKey == null ? List.<Waiting>of() : List.copyOf(ofKey.folds)) {
      Offer sent = send(fold);
      if (sent != Offer.ACCEPTED) {
        return sent;
      }
    }
    return Offer.ACCEPTED;
  }

  /** A fold that is not accepted remains. */
  private Offer send(Waiting fold) {
    Offer offer = output.offer(fold.event(), fold.acknowledgements);
    if (offer == Offer.ACCEPTED) {
      waiting.remove(fold.name);
      forget(fold);
    }
    return offer;
  }

  private void forget(Waiting fold) {
    bytes -= fold.bytes;
    events -= fold.events;
    OfKey ofKey = fold.ofKey;
    ofKey.folds.remove(fold);
    if (ofKey.folds.isEmpty()) {
      byKey.remove(fold.name.key());
      return;
    }
    for (String name : fold.fields.keySet()) {
      Field field = new Field(fold.name.type(), name);
      Newest newest = ofKey.newest.get(field);
      if (newest != null && newest.fold() == fold) {
        ofKey.newest.remove(field);
      }
    }
  }

  /** Rejects further events; when this returns, {@link #events} counts all accepted ones. */
  synchronized void close() {
    closed = true;
  }

  /** Sends the folds that are due; those that are not accepted remain. */
  synchronized void sendDue(long nowNanos) {
    Iterator<Waiting> each = waiting.values().iterator();
    while (each.hasNext()) {
      Waiting fold = each.next();
      if (fold.isDue(nowNanos, quietNanos, holdNanos)) {
        if (output.offer(fold.event(), fold.acknowledgements) != Offer.ACCEPTED) {
          return;
        }
        each.remove();
        forget(fold);
      }
    }
  }

  /** Sends all folds; returns whether all were accepted. */
  synchronized boolean sendAll() {
    while (!waiting.isEmpty()) {
      if (send(waiting.values().iterator().next()) != Offer.ACCEPTED) {
        return false;
      }
    }
    return true;
  }

  /** Number of accepted events that wait in folds. */
  synchronized long events() {
    return events;
  }

  /** Memory of the waiting folds, by a conservative estimate. */
  synchronized long bytes() {
    return bytes;
  }
}
