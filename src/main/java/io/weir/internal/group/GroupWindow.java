package io.weir.internal.group;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A window of a group with the newest part of each sensor. Not safe for several threads. */
public final class GroupWindow {
  /** Memory of a window without its group's name and its parts, in bytes. */
  static final int OVERHEAD_BYTES = 600;

  /** Represents a window without changes since its last emission. */
  public static final long NEVER = -1;

  /**
   * The identity of a window.
   *
   * @param endMs the first millisecond after it
   */
  public record Name(String group, long startMs, long endMs) implements Comparable<Name> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::group)
            .thenComparingLong(Name::startMs)
            .thenComparingLong(Name::endMs);

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

  /** Replaces the part of a sensor. */
  void put(String sensorId, SensorPart part, long logMs) {
    parts.put(sensorId, part);
    changed.add(sensorId);
    firstChangeMs = isPending() ? firstChangeMs : logMs;
    lastChangeMs = logMs;
  }

  /** Marks it as emitted; returns the revision of the emission. */
  int emitted() {
    firstChangeMs = NEVER;
    return revision++;
  }

  /** Whether it changed since its last emission. */
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

  /** The revision of the next emission. */
  public int revision() {
    return revision;
  }

  /** Log time of the first change since its last emission, or {@link #NEVER}. */
  public long firstChangeMs() {
    return firstChangeMs;
  }

  /** Log time of its last change. */
  public long lastChangeMs() {
    return lastChangeMs;
  }

  /** Sensors whose parts must be written. */
  public Set<String> changed() {
    return changed;
  }

  /** Whether a part of it was written: then it must be deleted at its end. */
  boolean isWritten() {
    return written;
  }

  /** Marks all changes as written. */
  void written() {
    written = true;
    changed.clear();
  }

  /** Its approximate memory without its parts. */
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

  /** Whether it has neither parts nor changes, during a restore. */
  boolean isGone() {
    return parts.isEmpty() && lastChangeMs == NEVER;
  }
}
