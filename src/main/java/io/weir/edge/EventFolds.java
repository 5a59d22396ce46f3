package io.weir.edge;

import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.event.EventJudge;
import io.weir.v1.Event;
import io.weir.v1.Value;
import io.weir.wire.EventRules;
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
 * Folds events before they are sent: events with the same key, subject and type become one. An
 * event that is not folded first sends the waiting folds of its key, so that a key's events keep
 * their order. If the folds exceed their memory limit, the oldest is sent first. Thread-safe;
 * callers pass the time.
 */
final class EventFolds {
  /** Maximum overhead of a fold in memory, in bytes. */
  private static final int FOLD_BYTES = 256;

  /** Sends an event. */
  @FunctionalInterface
  interface Output {
    Offer offer(Event event, Acknowledgement acknowledgement);
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
  }

  /** A fold that is not sent yet. */
  private static final class Waiting {
    private final long firstNanos;
    private long lastNanos;
    private Event event;

    /** The time of each field's value; null while the fold has one event. */
    private Map<String, Long> timesMs;

    private final List<Acknowledgement> acknowledgements = new ArrayList<>();
    private int events;

    Waiting(long nowNanos) {
      firstNanos = nowNanos;
    }

    void add(Event next, Acknowledgement acknowledgement, long nowNanos) {
      lastNanos = nowNanos;
      events++;
      if (acknowledgement != null) {
        acknowledgements.add(acknowledgement);
      }
      event = event == null ? next : merged(next);
    }

    private Event merged(Event next) {
      if (timesMs == null) {
        timesMs = new HashMap<>();
        event.getFieldsMap().keySet().forEach(name -> timesMs.put(name, event.getTimestampMs()));
      }
      Event.Builder merged = event.toBuilder();
      merged.setTimestampMs(Math.max(event.getTimestampMs(), next.getTimestampMs()));
      for (Map.Entry<String, Value> field : next.getFieldsMap().entrySet()) {
        Long before = timesMs.get(field.getKey());
        if (before == null || next.getTimestampMs() >= before) {
          merged.putFields(field.getKey(), field.getValue());
          timesMs.put(field.getKey(), next.getTimestampMs());
        }
      }
      return merged.build();
    }

    /** Whether the merged event stays within the size limit. */
    boolean hasRoomFor(Event next) {
      return event.getFieldsCount() + next.getFieldsCount() <= EventJudge.MAX_FIELDS
          && event.getSerializedSize() + next.getSerializedSize() <= EventJudge.MAX_BYTES;
    }

    long bytes() {
      return event.getSerializedSize() + FOLD_BYTES;
    }

    boolean isDue(long nowNanos, long quietNanos, long holdNanos) {
      return nowNanos - lastNanos >= quietNanos || nowNanos - firstNanos >= holdNanos;
    }

    Acknowledgement acknowledgement() {
      return acknowledgements.isEmpty() ? null : new AllOf(acknowledgements);
    }
  }

  /** Notifies each acknowledgement even if another throws. */
  private record AllOf(List<Acknowledgement> each) implements Acknowledgement {
    @Override
    public void acknowledged() {
      RuntimeException failure = null;
      for (Acknowledgement one : each) {
        try {
          one.acknowledged();
        } catch (RuntimeException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  private final long quietNanos;
  private final long holdNanos;
  private final long maxBytes;
  private final Output output;
  private final Map<Name, Waiting> waiting = new LinkedHashMap<>();
  private final Map<String, Set<Name>> ofKey = new HashMap<>();
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
      return before == Offer.ACCEPTED ? output.offer(event, acknowledgement) : before;
    }
    Name name = Name.of(event);
    Waiting same = waiting.get(name);
    if (same != null && !same.hasRoomFor(event)) {
      Offer before = send(name, same);
      if (before != Offer.ACCEPTED) {
        return before;
      }
      same = null;
    }
    if (same == null) {
      Offer room = makeRoom(event.getSerializedSize() + FOLD_BYTES);
      if (room != Offer.ACCEPTED) {
        return room;
      }
      same = new Waiting(nowNanos);
      waiting.put(name, same);
      ofKey.computeIfAbsent(name.key(), key -> new LinkedHashSet<>()).add(name);
    } else {
      bytes -= same.bytes();
    }
    same.add(event, acknowledgement, nowNanos);
    bytes += same.bytes();
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

  private Offer makeRoom(long more) {
    while (bytes + more > maxBytes && !waiting.isEmpty()) {
      Map.Entry<Name, Waiting> oldest = waiting.entrySet().iterator().next();
      Offer sent = send(oldest.getKey(), oldest.getValue());
      if (sent != Offer.ACCEPTED) {
        return sent;
      }
    }
    return Offer.ACCEPTED;
  }

  private Offer sendAllOf(String key) {
    for (Name name : List.copyOf(ofKey.getOrDefault(key, Set.of()))) {
      Offer sent = send(name, waiting.get(name));
      if (sent != Offer.ACCEPTED) {
        return sent;
      }
    }
    return Offer.ACCEPTED;
  }

  /** A fold that is not accepted remains. */
  private Offer send(Name name, Waiting fold) {
    Offer offer = output.offer(fold.event, fold.acknowledgement());
    if (offer == Offer.ACCEPTED) {
      waiting.remove(name);
      forget(name, fold);
    }
    return offer;
  }

  private void forget(Name name, Waiting fold) {
    bytes -= fold.bytes();
    events -= fold.events;
    Set<Name> others = ofKey.get(name.key());
    others.remove(name);
    if (others.isEmpty()) {
      ofKey.remove(name.key());
    }
  }

  /** Rejects further events; when this returns, {@link #events} counts all accepted ones. */
  synchronized void close() {
    closed = true;
  }

  /** Sends the folds that are due; those that are not accepted remain. */
  synchronized void sendDue(long nowNanos) {
    Iterator<Map.Entry<Name, Waiting>> each = waiting.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Name, Waiting> entry = each.next();
      Waiting fold = entry.getValue();
      if (fold.isDue(nowNanos, quietNanos, holdNanos)) {
        if (output.offer(fold.event, fold.acknowledgement()) != Offer.ACCEPTED) {
          return;
        }
        each.remove();
        forget(entry.getKey(), fold);
      }
    }
  }

  /** Sends all folds; returns whether all were accepted. */
  synchronized boolean sendAll() {
    while (!waiting.isEmpty()) {
      Map.Entry<Name, Waiting> oldest = waiting.entrySet().iterator().next();
      if (send(oldest.getKey(), oldest.getValue()) != Offer.ACCEPTED) {
        return false;
      }
    }
    return true;
  }

  /** Number of accepted events that wait in folds. */
  synchronized long events() {
    return events;
  }
}
