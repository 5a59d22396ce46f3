package io.weir.internal.window.durable;

import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.window.aggregate.Statistics;

/**
 * An aggregate that tracks changes since its last write, and the entry that has it. Not safe for
 * several threads.
 */
public abstract class DurableAggregate extends Aggregate {
  /** There are changes since the last write. */
  private boolean dirty;

  /** Number of readings since the last write; {@link Byte#MAX_VALUE} for that many or more. */
  private byte unwrittenReadings;

  /** It is stored in a separate entry, not in that of its sensor. */
  private boolean detached;

  /**
   * An empty aggregate that was never written.
   *
   * @param statistics null for none
   */
  protected DurableAggregate(Statistics statistics) {
    super(statistics);
  }

  /**
   * An aggregate whose values are restored separately.
   *
   * @param detached whether it was read from a separate entry
   */
  protected DurableAggregate(boolean detached) {
    this.detached = detached;
  }

  /** Readings were added, including bad ones. */
  protected final void changedByReadings(int readings) {
    unwrittenReadings = (byte) Math.min(Byte.MAX_VALUE, unwrittenReadings + readings);
    dirty = true;
  }

  /** A part that is written with it changed. */
  public final void changed() {
    dirty = true;
  }

  /** Whether there are changes since the last write. */
  public final boolean dirty() {
    return dirty;
  }

  /**
   * Number of readings since the last write, including bad ones; {@link Byte#MAX_VALUE} for that
   * many or more.
   */
  public final int unwrittenReadings() {
    return unwrittenReadings;
  }

  /** Whether it is stored in a separate entry. */
  public final boolean detached() {
    return detached;
  }

  /** Marks it as written, with the kind of its entry. */
  public final void written(boolean inSeparateEntry) {
    dirty = false;
    unwrittenReadings = 0;
    detached = inSeparateEntry;
  }
}
