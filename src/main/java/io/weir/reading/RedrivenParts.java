package io.weir.reading;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which signed parts of dead letters and late records have counted on one partition, so that copies
 * of them are duplicates: they have no sequences. The {@value #MOST} newest are remembered; of one
 * at or below those of its source that were forgotten nobody knows, and it is stale. Not safe for
 * several threads.
 */
public final class RedrivenParts {
  /** About 100 bytes each. */
  public static final int MOST = 10_000;

  /**
   * Where the records were that are sent again.
   *
   * @param topic of dead letters or of late records
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
   * A part of one.
   *
   * @param content of its bytes; a record may have several parts for a partition
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

  /** Whether it is new, counted before, or too old to tell. Changes nothing. */
  public BatchVerdict judge(Part part) {
    TreeSet<Part> ofSource = remembered.get(part.source());
    if (ofSource != null && ofSource.contains(part)) {
      return BatchVerdict.DUPLICATE;
    }
    return part.offset() <= forgottenThrough.getOrDefault(part.source(), -1L)
        ? BatchVerdict.STALE
        : BatchVerdict.NEW;
  }

  /** A new one counts. */
  public void apply(Part part) {
    restore(part);
    added.add(part);
    if (size > MOST) {
      forgetOne();
    }
  }

  /** The oldest of the source that has most. */
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

  /** It was remembered. */
  public void restore(Part part) {
    size += remembered.computeIfAbsent(part.source(), of -> new TreeSet<>()).add(part) ? 1 : 0;
  }

  /** It was forgotten. */
  public void restoreForgotten(Part part) {
    TreeSet<Part> ofSource = remembered.get(part.source());
    size -= ofSource != null && ofSource.remove(part) ? 1 : 0;
  }

  /** All up to an offset were forgotten, but for those that are remembered. */
  public void restoreForgottenThrough(Source source, long offset) {
    forgottenThrough.put(source, offset);
  }

  /** Up to which offset of each source others were forgotten, where that changed since. */
  public Map<Source, Long> moved() {
    Map<Source, Long> through = new TreeMap<>();
    moved.forEach(source -> through.put(source, forgottenThrough.get(source)));
    return through;
  }

  /** Those that came since they were last written. */
  public List<Part> added() {
    return List.copyOf(added);
  }

  /** Those that were forgotten since, and had been written. */
  public List<Part> removed() {
    return List.copyOf(removed);
  }

  /** All of it is written. */
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
