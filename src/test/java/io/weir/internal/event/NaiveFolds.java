package io.weir.internal.event;

import com.google.protobuf.ByteString;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldReason;
import io.weir.v1.FoldedEvent;
import io.weir.v1.FoldedField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What folding must do: keeps all events of a fold, and looks at them when it ends. */
public final class NaiveFolds {
  private record Placed(String gatewayId, Event event, long offset, int index, long logMs) {}

  private record Name(String key, String type) {
    static Name of(Event event) {
      return new Name(event.getKey(), event.getType());
    }
  }

  private final FoldSpec spec;
  private final Map<Name, List<Placed>> byName = new LinkedHashMap<>();
  private final List<FoldedEvent> emitted = new ArrayList<>();

  public NaiveFolds(FoldSpec spec) {
    this.spec = spec;
  }

  public void add(EventBatch batch, long offset, int index, long logMs) {
    Event event = batch.getEvents(index);
    List<Placed> fold = byName.get(Name.of(event));
    if (fold != null) {
      FoldReason due = due(fold, logMs);
      Set<String> names = new HashSet<>(event.getFieldsMap().keySet());
      fold.forEach(placed -> names.addAll(placed.event().getFieldsMap().keySet()));
      if (due == null && names.size() > spec.maxFields()) {
        due = FoldReason.FOLD_REASON_LIMIT;
      }
      if (due != null) {
        end(Name.of(event), due);
      }
    }
    byName
        .computeIfAbsent(Name.of(event), name -> new ArrayList<>())
        .add(new Placed(batch.getGatewayId(), event, offset, index, logMs));
    while (bytes() > spec.maxBytes()) {
      Name next =
          byName.keySet().stream()
              .filter(key -> due(byName.get(key), logMs) != null)
              .findFirst()
              .orElseGet(this::oldestOfTheLargest);
      FoldReason due = due(byName.get(next), logMs);
      end(next, due == null ? FoldReason.FOLD_REASON_LIMIT : due);
    }
  }

  /** Of the gateway that has most, where that is more than an eighth; else of all. */
  private Name oldestOfTheLargest() {
    Map<String, Long> bytesOf = new LinkedHashMap<>();
    byName.values().forEach(fold -> bytesOf.merge(fold.get(0).gatewayId(), bytes(fold), Long::sum));
    long most = Collections.max(bytesOf.values());
    return byName.entrySet().stream()
        .filter(
            fold ->
                most <= spec.maxBytes() / 8
                    || bytesOf.get(fold.getValue().get(0).gatewayId()) == most)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  /** What folds take in memory, as it is counted. */
  public long bytes() {
    return byName.values().stream().mapToLong(NaiveFolds::bytes).sum();
  }

  private static long bytes(List<Placed> fold) {
    FoldedEvent folded = folded(fold).build();
    long bytes = 502 + folded.getKeyBytes().size() + folded.getTypeBytes().size();
    for (Map.Entry<String, FoldedField> field : folded.getFieldsMap().entrySet()) {
      bytes += 164 + ByteString.copyFromUtf8(field.getKey()).size();
      bytes += field.getValue().getFirst().getSerializedSize();
      bytes += field.getValue().getLast().getSerializedSize();
    }
    for (ByteString subject :
        folded.getSubjectsList().stream().map(ByteString::copyFromUtf8).toList()) {
      bytes += 100 + subject.size();
    }
    return bytes;
  }

  private FoldReason due(List<Placed> fold, long logMs) {
    long quietMs = fold.get(fold.size() - 1).logMs() + spec.quietMs();
    long heldMs = fold.get(0).logMs() + spec.maxHoldMs();
    if (quietMs <= logMs && quietMs <= heldMs) {
      return FoldReason.FOLD_REASON_QUIET;
    }
    return heldMs <= logMs ? FoldReason.FOLD_REASON_MAX_HOLD : null;
  }

  public void endDue(long logMs) {
    for (Name key : List.copyOf(byName.keySet())) {
      FoldReason due = due(byName.get(key), logMs);
      if (due != null) {
        end(key, due);
      }
    }
  }

  private void end(Name key, FoldReason reason) {
    emitted.add(folded(byName.remove(key)).setReason(reason).build());
  }

  private static FoldedEvent.Builder folded(List<Placed> fold) {
    FoldedEvent.Builder folded =
        FoldedEvent.newBuilder()
            .setKey(fold.get(0).event().getKey())
            .setType(fold.get(0).event().getType())
            .setOffset(fold.get(0).offset())
            .setIndex(fold.get(0).index())
            .setEventCount(fold.size());
    List<Placed> sorted =
        fold.stream()
            .sorted(
                Comparator.<Placed>comparingLong(placed -> placed.event().getTimestampMs())
                    .thenComparingLong(Placed::offset)
                    .thenComparingInt(Placed::index))
            .toList();
    folded.setFirstTimestampMs(sorted.get(0).event().getTimestampMs());
    folded.setLastTimestampMs(sorted.get(sorted.size() - 1).event().getTimestampMs());
    sorted.stream()
        .flatMap(placed -> placed.event().getFieldsMap().keySet().stream())
        .distinct()
        .forEach(name -> folded.putFields(name, field(name, sorted)));
    List<String> subjects =
        fold.stream()
            .map(placed -> placed.event().getSubject())
            .filter(subject -> !subject.isEmpty())
            .distinct()
            .sorted(
                (a, b) ->
                    java.util.Arrays.compareUnsigned(
                        a.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        b.getBytes(java.nio.charset.StandardCharsets.UTF_8)))
            .toList();
    folded.setSubjectCount(subjects.size());
    return folded.addAllSubjects(subjects.subList(0, Math.min(100, subjects.size())));
  }

  /**
   * @param fold the events of the fold
   */
  private static FoldedField field(String name, List<Placed> fold) {
    List<Placed> places =
        fold.stream()
            .filter(placed -> placed.event().containsFields(name))
            .sorted(
                Comparator.<Placed>comparingLong(placed -> timeOf(placed.event(), name))
                    .thenComparingLong(Placed::offset)
                    .thenComparingInt(Placed::index))
            .toList();
    Event last = places.get(places.size() - 1).event();
    return FoldedField.newBuilder()
        .setFirst(places.get(0).event().getFieldsOrThrow(name))
        .setLast(last.getFieldsOrThrow(name))
        .setLastTimestampMs(timeOf(last, name))
        .setOccurrences(places.size())
        .build();
  }

  private static long timeOf(Event event, String field) {
    return event.getFieldTimestampsMsOrDefault(field, event.getTimestampMs());
  }

  /** Those that have ended since this was asked last. */
  public List<FoldedEvent> take() {
    List<FoldedEvent> taken = List.copyOf(emitted);
    emitted.clear();
    return taken;
  }

  public int size() {
    return byName.size();
  }
}
