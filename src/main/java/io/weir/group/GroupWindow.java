package io.weir.group;

import java.util.Comparator;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A window of a group with the newest part of each sensor. Not safe for several threads. */
public final class GroupWindow {
  /** What a window takes in memory beside its group's name and its parts. */
  static final int OVERHEAD_BYTES = 600;

  /** Of a window without a change that is yet to be emitted. */
  public static final long NEVER = -1;

  /**
   * Which window it is.
   *
   * @param endMs the first millisecond after it
   */
  public record Name(String group, long startMs, long endMs) implements Comparable<Name> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::group).thenComparingLong(Name::startMs).thenComparingLong(Name::endMs);

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }
  }

  private final Name name;
  private final Map<String, SensorPart> parts = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private int revision;
  private long firstChangeMs = NEVER;
  private long lastChangeMs = NEVER;
  private boolean written;

  GroupWindow(Name name) {
    this.name = name;
  }

  /** Puts a sensor's part in the place of the one before. */
  void put(String sensorId, SensorPart part, long logMs) {
    parts.put(sensorId, part);
    changed.add(sensorId);
    firstChangeMs = isPending() ? firstChangeMs : logMs;
    lastChangeMs = logMs;
  }

  /** It was emitted; returns the revision that it has then. */
  int emitted() {
    firstChangeMs = NEVER;
    return revision++;
  }

  /** Whether it changed since it was last emitted. */
  boolean isPending() {
    return firstChangeMs != NEVER;
  }

  public Name name() {
    return name;
  }

  /** By sensor id; not to be changed. */
  public Map<String, SensorPart> parts() {
    return Collections.unmodifiableMap(parts);
  }

  /** The revision that the next emission has. */
  public int revision() {
    return revision;
  }

  /** Log time of the first change since it was last emitted, or {@link #NEVER}. */
  public long firstChangeMs() {
    return firstChangeMs;
  }

  /** Log time of its last change. */
  public long lastChangeMs() {
    return lastChangeMs;
  }

  /** Sensors whose parts are to be written. */
  public Set<String> changed() {
    return changed;
  }

  /** Whether any of it was written: then it is to be deleted at its end. */
  boolean isWritten() {
    return written;
  }

  /** All was written. */
  void written() {
    written = true;
    changed.clear();
  }

  /** What it takes in memory without its parts, nearly. */
  long ownBytes() {
    return OVERHEAD_BYTES + 2L * name.group().length();
  }

  long memoryBytes() {
    long bytes = ownBytes();
    for (Map.Entry<String, SensorPart> part : parts.entrySet()) {
      bytes += part.getValue().memoryBytes(part.getKey());
    }
    return bytes;
  }

  void restore(int nextRevision, long firstMs, long lastMs) {
    revision = nextRevision;
    firstChangeMs = firstMs;
    lastChangeMs = lastMs;
    written = true;
  }

  void restore(String sensorId, SensorPart part) {
    parts.put(sensorId, part);
  }

  void dropRestored(String sensorId) {
    parts.remove(sensorId);
  }

  void dropRestored() {
    lastChangeMs = NEVER;
  }

  /** Whether nothing is left of what was read back. */
  boolean isGone() {
    return parts.isEmpty() && lastChangeMs == NEVER;
  }
}
