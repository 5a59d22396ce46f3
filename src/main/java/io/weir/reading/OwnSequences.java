package io.weir.reading;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The boot id and the sequences of batches that a task of Weir itself writes to topics of events:
 * alarms, events that came due, events of handlers. The task is a gateway, whose id begins with
 * {@value #PREFIX}. A boot lasts as long as the task's state is whole. Not thread-safe.
 */
public final class OwnSequences {
  /** Begins the ids of Weir's own gateways, and of no other. */
  public static final String PREFIX = "weir/";

  private static final int CLOCK_BITS = 20;
  private static final long CLOCK_MASK = (1L << CLOCK_BITS) - 1;

  /**
   * A partition that the task writes to.
   *
   * @param topic its topic
   */
  public record Target(String topic, int partition) implements Comparable<Target> {
    @Override
    public int compareTo(Target other) {
      int byTopic = topic.compareTo(other.topic);
      return byTopic == 0 ? Integer.compare(partition, other.partition) : byTopic;
    }
  }

  private final Map<Target, Long> last = new TreeMap<>();
  private final TreeSet<Target> changed = new TreeSet<>();
  private long bootId;
  private long forgottenBootId;
  private boolean bootChanged;

  /**
   * The gateway id of a task.
   *
   * @param partition of its input topic
   */
  public static String gatewayId(String applicationId, int partition) {
    return PREFIX + applicationId + "/" + partition;
  }

  /** Whether a gateway id is one of Weir's own. */
  public static boolean isOwn(String gatewayId) {
    return gatewayId.startsWith(PREFIX);
  }

  /**
   * Begins a boot with the first record of a state, or the first since {@link #forget}: the
   * record's append time, and bits of the clock that tell lives apart that begin with the same
   * record.
   */
  public void begin(long appendMs, long wallClockMs) {
    if (bootId == 0) {
      long byTime = Math.max(appendMs, 1) << CLOCK_BITS | wallClockMs / 1_000 & CLOCK_MASK;
      bootId = Math.max(byTime, forgottenBootId + 1);
      bootChanged = true;
    }
  }

  /**
   * The boot may have sent more than the state knows: its readers would take the next sequences for
   * duplicates. So another boot begins, later than this one.
   */
  public void forget() {
    if (bootId != 0) {
      forgottenBootId = bootId;
      bootId = 0;
      bootChanged = true;
      last.replaceAll((target, sequence) -> 0L);
      changed.addAll(last.keySet());
    }
  }

  /** Unsigned; 0 before {@link #begin}. */
  public long bootId() {
    return bootId;
  }

  /** The sequence of the next batch for a partition. */
  public long next(Target target) {
    changed.add(target);
    return last.merge(target, 1L, Long::sum);
  }

  /** The last sequences that changed since the last write. */
  public Map<Target, Long> changed() {
    Map<Target, Long> sequences = new TreeMap<>();
    changed.forEach(target -> sequences.put(target, last.get(target)));
    return sequences;
  }

  /** Whether the boot id was not written yet. */
  public boolean bootChanged() {
    return bootChanged;
  }

  /** All changes were written. */
  public void written() {
    changed.clear();
    bootChanged = false;
  }

  public void restore(long boot) {
    bootId = boot;
  }

  public void restore(Target target, long sequence) {
    last.put(target, sequence);
  }

  public void clear() {
    last.clear();
    bootId = 0;
    forgottenBootId = 0;
    written();
  }
}
