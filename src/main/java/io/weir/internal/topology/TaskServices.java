package io.weir.internal.topology;

import io.weir.internal.store.ThreadStores;
import java.util.function.LongSupplier;

/**
 * What the tasks of an input topic need of the process that runs them, see {@link InputTask}.
 *
 * @param elapsedMs a monotonic clock, in milliseconds from anywhere; it decides when to ask for
 *     ticks, and nothing else
 * @param ticks appends ticks to the input topic
 * @param input answers whether a state belongs to the input topic
 * @param stores of each thread; the producers notify them how transactions end
 * @param progress receives how far each partition has come
 * @param commits decides when a commit is asked for
 */
public record TaskServices(
    LongSupplier elapsedMs,
    Ticks ticks,
    InputLog input,
    ThreadStores stores,
    InputProgress progress,
    CommitPace commits) {
  /** Where commits come when their interval is over. */
  public TaskServices(
      LongSupplier elapsedMs,
      Ticks ticks,
      InputLog input,
      ThreadStores stores,
      InputProgress progress) {
    this(elapsedMs, ticks, input, stores, progress, CommitPace.NONE);
  }
}
