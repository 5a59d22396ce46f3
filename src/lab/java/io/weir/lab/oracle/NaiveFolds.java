package io.weir.lab.oracle;

import com.google.protobuf.ByteString;
import io.weir.v1.Event;
import io.weir.v1.FoldReason;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Folds of a partition: all events of a fold are kept, and looked at when it ends. Without the
 * limits by bytes: its callers stay below them. One thread.
 */
final class NaiveFolds {
  private static final int SUBJECTS_LISTED = 100;

  private record Name(String key, String type) {
    static Name of(Event event) {
      return new Name(event.getKey(), event.getType());
    }
  }

  private record Placed(Event event, long offset, int index) {}

  /** Receives each fold. */
  interface Emitted {
    /**
     * A fold that ended.
     *
     * @param dueMs append time from which on it had to end; {@link #NEVER} where time did not end
     *     it
     */
    void fold(FoldedEvent fold, long dueMs);
  }

  static final long NEVER = Long.MIN_VALUE;

  private static final class Open {
    final List<Placed> events = new ArrayList<>();
    final Set<String> fields = new HashSet<>();
    final long firstLogMs;
    final long firstAppendMs;
    long lastLogMs;
    long lastAppendMs;

    Open(long logMs, long appendMs) {
      firstLogMs = logMs;
      firstAppendMs = appendMs;
    }
  }

  private final NaiveEventRules rules;
  private final Emitted emitted;
  private final Map<Name, Open> open = new LinkedHashMap<>();

  NaiveFolds(NaiveEventRules rules, Emitted emitted) {
    this.rules = rules;
    this.emitted = emitted;
  }

  /** Ends what is due. */
  void passed(long logMs) {
    for (Name key : List.copyOf(open.keySet())) {
      Open fold = open.get(key);
      long quietMs = fold.lastLogMs + rules.foldQuietMs();
      long heldMs = fold.firstLogMs + rules.foldHoldMs();
      if (logMs >= quietMs || logMs >= heldMs) {
        end(
            key,
            quietMs <= heldMs ? FoldReason.FOLD_REASON_QUIET : FoldReason.FOLD_REASON_MAX_HOLD);
      }
    }
  }

  /** Adds an event, everything that is due having ended. */
  void add(Event event, long offset, int index, long logMs, long appendMs) {
    Open fold = open.get(Name.of(event));
    if (fold != null) {
      Set<String> together = new HashSet<>(fold.fields);
      together.addAll(event.getFieldsMap().keySet());
      if (together.size() > rules.foldMaxFields()) {
        end(Name.of(event), FoldReason.FOLD_REASON_LIMIT);
        fold = null;
      }
    }
    if (fold == null) {
      fold = new Open(logMs, appendMs);
      open.put(Name.of(event), fold);
    }
    fold.events.add(new Placed(event, offset, index));
    fold.fields.addAll(event.getFieldsMap().keySet());
    fold.lastLogMs = logMs;
    fold.lastAppendMs = appendMs;
  }

  private void end(Name name, FoldReason reason) {
    Open ended = open.remove(name);
    List<Placed> events = ended.events;
    FoldedEvent.Builder fold =
        FoldedEvent.newBuilder()
            .setKey(name.key())
            .setType(name.type())
            .setOffset(events.get(0).offset)
            .setIndex(events.get(0).index)
            .setEventCount(events.size())
            .setReason(reason);
    events.sort(
        Comparator.<Placed>comparingLong(each -> each.event.getTimestampMs())
            .thenComparingLong(Placed::offset)
            .thenComparingInt(Placed::index));
    fold.setFirstTimestampMs(events.get(0).event.getTimestampMs());
    fold.setLastTimestampMs(events.get(events.size() - 1).event.getTimestampMs());
    fields(events).forEach((of, field) -> fold.putFields(of, field.build()));
    TreeSet<ByteString> subjects = new TreeSet<>(ByteString.unsignedLexicographicalComparator());
    events.forEach(each -> subjects.add(each.event.getSubjectBytes()));
    subjects.remove(ByteString.EMPTY);
    fold.setSubjectCount(subjects.size());
    subjects.stream().limit(SUBJECTS_LISTED).forEach(fold::addSubjectsBytes);
    emitted.fold(fold.build(), dueMs(ended, reason));
  }

  private long dueMs(Open fold, FoldReason reason) {
    return switch (reason) {
      case FOLD_REASON_QUIET -> fold.lastAppendMs + rules.foldQuietMs();
      case FOLD_REASON_MAX_HOLD -> fold.firstAppendMs + rules.foldHoldMs();
      default -> NEVER;
    };
  }

  private static Map<String, FoldedField.Builder> fields(List<Placed> events) {
    Map<String, List<Placed>> byField = new LinkedHashMap<>();
    for (Placed each : events) {
      for (String name : each.event.getFieldsMap().keySet()) {
        byField.computeIfAbsent(name, missing -> new ArrayList<>()).add(each);
      }
    }
    Map<String, FoldedField.Builder> fields = new LinkedHashMap<>();
    byField.forEach((name, having) -> fields.put(name, field(name, having)));
    return fields;
  }

  private static FoldedField.Builder field(String name, List<Placed> having) {
    having.sort(
        Comparator.<Placed>comparingLong(each -> timeOf(each.event, name))
            .thenComparingLong(Placed::offset)
            .thenComparingInt(Placed::index));
    Event last = having.get(having.size() - 1).event;
    return FoldedField.newBuilder()
        .setFirst(having.get(0).event.getFieldsOrThrow(name))
        .setLast(last.getFieldsOrThrow(name))
        .setLastTimestampMs(timeOf(last, name))
        .setOccurrences(having.size());
  }

  private static long timeOf(Event event, String field) {
    return event.getFieldTimestampsMsOrDefault(field, event.getTimestampMs());
  }

  /** Keys and types whose fold has not ended. */
  long open() {
    return open.size();
  }
}
