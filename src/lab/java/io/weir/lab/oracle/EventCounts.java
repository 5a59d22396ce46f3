package io.weir.lab.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * What there was of events, counted on the topics.
 *
 * @param offered events and orders on the topics, repeats each time
 * @param repeated of batches that were there before
 * @param refused on the dead letters
 * @param folding events that had to be in a fold
 * @param folds on weir.folded
 * @param ordered events that were scheduled
 * @param replaced by another of the same key and id
 * @param cancelled before they were due
 * @param missed times of those that repeat at which nobody was there
 * @param due events that came due, on weir.events
 * @param waiting for their time
 * @param latenessMs of those that were scheduled once and ahead of time
 * @param foldLatenessMs of folds that rested or were held: from when they were due to their append
 */
public record EventCounts(
    long offered,
    long repeated,
    long refused,
    long folding,
    long folds,
    long ordered,
    long replaced,
    long cancelled,
    long missed,
    long due,
    long waiting,
    List<Long> latenessMs,
    List<Long> foldLatenessMs) {
  public static final EventCounts NONE =
      new EventCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of());

  public EventCounts {
    latenessMs = List.copyOf(latenessMs);
    foldLatenessMs = List.copyOf(foldLatenessMs);
  }

  /** Those of two partitions. */
  public EventCounts plus(EventCounts other) {
    return new EventCounts(
        offered + other.offered,
        repeated + other.repeated,
        refused + other.refused,
        folding + other.folding,
        folds + other.folds,
        ordered + other.ordered,
        replaced + other.replaced,
        cancelled + other.cancelled,
        missed + other.missed,
        due + other.due,
        waiting + other.waiting,
        both(latenessMs, other.latenessMs),
        both(foldLatenessMs, other.foldLatenessMs));
  }

  private static List<Long> both(List<Long> one, List<Long> other) {
    List<Long> both = new ArrayList<>(one);
    both.addAll(other);
    return both;
  }
}
