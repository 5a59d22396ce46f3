package io.weir.internal.wire;

import io.weir.v1.AcceptedLoss;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Windows that are not emitted when a loss is accepted, as their newest records have as many
 * readings. Named by 64 bits of a hash. If there are more than an order can name, it is all that
 * wait. One thread.
 */
public final class LeftWindows {
  /** 512 KiB of an order; the default max.message.bytes is twice as much. */
  public static final int MOST = 65_536;

  private final Set<Long> names = new TreeSet<>();
  private boolean all;

  /** Those of an order. */
  public static LeftWindows of(AcceptedLoss loss) {
    LeftWindows left = new LeftWindows();
    left.names.addAll(loss.getLeftWindowList());
    left.all = loss.getLeftAll();
    return left;
  }

  /** Adds a window. */
  public void add(String sensorId, long startMs) {
    names.add(name(sensorId, startMs));
    all = names.size() > MOST;
  }

  /** Whether a window is one of them. */
  public boolean contains(String sensorId, long startMs) {
    return all || names.contains(name(sensorId, startMs));
  }

  /** Whether they are all that wait, as there are too many to name. */
  public boolean isAll() {
    return all;
  }

  /** Number of windows. */
  public int size() {
    return names.size();
  }

  /** As part of an order. */
  public void writeTo(AcceptedLoss.Builder order) {
    order.setLeftAll(all);
    if (!all) {
      order.addAllLeftWindow(names);
    }
  }

  private static long name(String sensorId, long startMs) {
    String name = startMs + " " + sensorId;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
  }
}
