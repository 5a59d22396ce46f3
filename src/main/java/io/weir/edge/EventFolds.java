package io.weir.edge;

import io.weir.edge.EventPublisherSettings.Fold;
import io.weir.event.EventJudge;
import io.weir.v1.Event;
import io.weir.v1.Value;
import io.weir.wire.EventRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Folds events before they are sent: those of one key, subject and type become one. Whatever is not
 * folded sends what waits of its key first, so that a key's events keep their order. Where what
 * waits takes too much memory, the oldest goes first. For any thread; time is given.
 */
final class EventFolds {
  /** Most bytes that a fold takes beside its event. */
  private static final int FOLD_BYTES = 256;

  /** Sends an event. */
  @FunctionalInterface
  interface Output {
    Offer offer(Event event, Acknowledgement acknowledgement);
  }

  private record Name(String key, String subject, String type) {
    static Name of(Event event) {
      return new Name(event.getKey(), event.getSubject(), event.getType());
    }
  }

  /** Events that will be one. */
  private static final class Waiting {
    private final long firstNanos;
    private long lastNanos;
    private Event event;

    /** Of each field the time of its value; null while there is one event. */
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

    /** Whether what it would become is surely small enough for an event. */
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

  /** Notifies each, whatever the others throw. */
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
   * @param maxBytes that what waits takes at the most
   */
  EventFolds(Fold fold, long maxBytes, Output output) {
    this.quietNanos = fold.quiet().toNanos();
    this.holdNanos = fold.maxHold().toNanos();
    this.maxBytes = maxBytes;
    this.output = output;
  }

  /** Takes an event, or says why not. */
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

  /** What is scheduled, begins a life, expires or came due says more than its fields. */
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

  /** What is not accepted stays. */
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

  /** Takes no event more: what was accepted is in {@link #events} when this returns. */
  synchronized void close() {
    closed = true;
  }

  /** Sends what is due; what finds no room stays for the next time. */
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

  /** Sends everything; whether all of it found room. */
  synchronized boolean sendAll() {
    while (!waiting.isEmpty()) {
      Map.Entry<Name, Waiting> oldest = waiting.entrySet().iterator().next();
      if (send(oldest.getKey(), oldest.getValue()) != Offer.ACCEPTED) {
        return false;
      }
    }
    return true;
  }

  /** Events that were accepted and wait in folds. */
  synchronized long events() {
    return events;
  }
}
