package io.weir.window.durable;

import io.weir.window.aggregate.Aggregate;
import io.weir.window.aggregate.Statistics;

/**
 * An aggregate of which it is known what was added since it was last written, and where that is.
 * Not safe for several threads.
 */
public abstract class DurableAggregate extends Aggregate {
  /** Something changed since it was last written. */
  private boolean dirty;

  /** How many readings it took since it was last written; {@link Byte#MAX_VALUE} is or more. */
  private byte unwrittenReadings;

  /** Its durable form is an entry of its own, not a part of its sensor's. */
  private boolean detached;

  /**
   * One of no reading yet, which was never written.
   *
   * @param statistics null for none
   */
  protected DurableAggregate(Statistics statistics) {
    super(statistics);
  }

  /**
   * One whose values are restored apart.
   *
   * @param detached whether it was read from an entry of its own
   */
  protected DurableAggregate(boolean detached) {
    this.detached = detached;
  }

  /** It took readings, bad ones too. */
  protected final void changedByReadings(int readings) {
    unwrittenReadings = (byte) Math.min(Byte.MAX_VALUE, unwrittenReadings + readings);
    dirty = true;
  }

  /** Something changed that is written with it. */
  public final void changed() {
    dirty = true;
  }

  /** Whether something changed since it was last written. */
  public final boolean dirty() {
    return dirty;
  }

  /**
   * How many readings it took since it was last written, bad ones too: {@link Byte#MAX_VALUE} says
   * so many or more.
   */
  public final int unwrittenReadings() {
    return unwrittenReadings;
  }

  /** Whether its durable form is an entry of its own. */
  public final boolean detached() {
    return detached;
  }

  /** Says where it was just written. */
  public final void written(boolean inItsOwnEntry) {
    dirty = false;
    unwrittenReadings = 0;
    detached = inItsOwnEntry;
  }
}
