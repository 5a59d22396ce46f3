package io.weir.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The signed parts of redriven dead letters and late records that were applied on one partition:
 * they have no sequences, so this detects duplicates. The {@value #MOST} newest are kept; a part at
 * or below an evicted one of its source is stale. Not thread-safe.
 */
public final class RedrivenParts {
  /** About 100 bytes each. */
  public static final int MOST = 10_000;

  /**
   * The source partition of redriven records.
   *
   * @param topic the dead-letter topic or the late topic
   */
  public record Source(String topic, int partition) implements Comparable<Source> {
    private static final Comparator<Source> ORDER =
        Comparator.comparing(Source::topic).thenComparingInt(Source::partition);

    @Override
    public int compareTo(Source other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A part of a redriven record.
   *
   * @param content hash of its bytes; a record may have several parts for a partition
   */
  public record Part(Source source, long offset, long content) implements Comparable<Part> {
    private static final Comparator<Part> ORDER =
        Comparator.comparing(Part::source)
            .thenComparingLong(Part::offset)
            .thenComparingLong(Part::content);

    @Override
    public int compareTo(Part other) {
      return ORDER.compare(this, other);
    }
  }

  private final Map<Source, TreeSet<Part>> remembered = new TreeMap<>();
  private final Map<Source, Long> forgottenThrough = new TreeMap<>();
  private final TreeSet<Part> added = new TreeSet<>();
  private final List<Part> removed = new ArrayList<>();
  private final TreeSet<Source> moved = new TreeSet<>();
  private int size;

  /** Whether it is new, a duplicate or too old to decide. No side effects. */
  public BatchVerdict judge(Part part) {
    TreeSet<Part> ofSource = remembered.get(part.source());
    if (ofSource != null && ofSource.contains(part)) {
      return BatchVerdict.DUPLICATE;
    }
    return part.offset() <= forgottenThrough.getOrDefault(part.source(), -1L)
        ? BatchVerdict.STALE
        : BatchVerdict.NEW;
  }

  /** Applies a new part. */
  public void apply(Part part) {
    restore(part);
    added.add(part);
    if (size > MOST) {
      forgetOne();
    }
  }

  /** Evicts the oldest part of the source with the most parts. */
  private void forgetOne() {
    TreeSet<Part> most =
        remembered.values().stream().max(Comparator.comparingInt(TreeSet::size)).orElseThrow();
    Part oldest = most.pollFirst();
    size--;
    forgottenThrough.put(oldest.source(), oldest.offset());
    moved.add(oldest.source());
    if (!added.remove(oldest)) {
      removed.add(oldest);
    }
  }

  /** Restores a part. */
  public void restore(Part part) {
    size += remembered.computeIfAbsent(part.source(), of -> new TreeSet<>()).add(part) ? 1 : 0;
  }

  /** Restores an evicted part. */
  public void restoreForgotten(Part part) {
    TreeSet<Part> ofSource = remembered.get(part.source());
    size -= ofSource != null && ofSource.remove(part) ? 1 : 0;
  }

  /** Restores the offset up to which all parts are evicted, except those that are kept. */
  public void restoreForgottenThrough(Source source, long offset) {
    forgottenThrough.put(source, offset);
  }

  /** The eviction offsets of sources that changed since the last write. */
  public Map<Source, Long> moved() {
    Map<Source, Long> through = new TreeMap<>();
    moved.forEach(source -> through.put(source, forgottenThrough.get(source)));
    return through;
  }

  /** The parts added since the last write. */
  public List<Part> added() {
    return List.copyOf(added);
  }

  /** The written parts that were evicted since the last write. */
  public List<Part> removed() {
    return List.copyOf(removed);
  }

  /** All changes were written. */
  public void written() {
    added.clear();
    removed.clear();
    moved.clear();
  }

  public void clear() {
    remembered.clear();
    forgottenThrough.clear();
    written();
    size = 0;
  }
}
