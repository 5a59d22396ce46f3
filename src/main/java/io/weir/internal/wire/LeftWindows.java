package io.weir.internal.wire;

import io.weir.v1.AcceptedLoss;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Windows that are not emitted when a loss is accepted, as their newest records have as many
 * readings. An order names them by 64 bits of a hash, or those that are emitted, if these are fewer
 * than it can name and the others are more. If both are more, none is emitted. One thread.
 */
public final class LeftWindows {
  /** 512 KiB of an order; the default max.message.bytes is twice as much. */
  public static final int MOST = 65_536;

  private final Set<Long> left = new TreeSet<>();
  private final Set<Long> emitted = new TreeSet<>();

  /** Whether an order names those that are emitted. */
  private boolean namesEmitted;

  /** Those of an order. */
  public static LeftWindows of(AcceptedLoss loss) {
    LeftWindows left = new LeftWindows();
    left.namesEmitted = loss.getLeftAll();
    (left.namesEmitted ? left.emitted : left.left).addAll(loss.getLeftWindowList());
    return left;
  }

  /** Adds a window that is not emitted. */
  public void add(String sensorId, long startMs) {
    left.add(name(sensorId, startMs));
    namesEmitted = left.size() > MOST;
  }

  /** Adds a window that is emitted. */
  public void addEmitted(String sensorId, long startMs) {
    emitted.add(name(sensorId, startMs));
  }

  /** Whether a window is one of them. */
  public boolean contains(String sensorId, long startMs) {
    long name = name(sensorId, startMs);
    return namesEmitted ? isAll() || !emitted.contains(name) : left.contains(name);
  }

  /** Whether they are all that wait, as there are too many to name. */
  public boolean isAll() {
    return namesEmitted && emitted.size() > MOST;
  }

  /** Number of windows that were added. */
  public int size() {
    return left.size();
  }

  /** As part of an order. */
  public void writeTo(AcceptedLoss.Builder order) {
    order.setLeftAll(namesEmitted);
    if (!isAll()) {
      order.addAllLeftWindow(namesEmitted ? emitted : left);
    }
  }

  private static long name(String sensorId, long startMs) {
    String name = startMs + " " + sensorId;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
  }
}
