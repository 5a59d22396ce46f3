package io.weir.internal.store;

import io.weir.internal.deadletter.RunningLife;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The stores of the tasks that run in a thread, and what became of the transaction that they share.
 *
 * <p>When the first of them is asked for its changes, all give theirs.
 *
 * <p>Streams 4.3.1 prepares a thread's tasks for a commit one after another, and waits after each
 * until the brokers have what it wrote. Sixteen tasks waited for sixteen answers; now the first
 * waits for all at once, and the others have nothing to wait for. To write before one is asked is
 * what every store of Streams does that has no cache: the thread's tasks share a producer and its
 * transaction.
 *
 * <p>The thread's producer says how each transaction ended. A store that took part in one that was
 * aborted holds what was never committed: it gives nothing out from then on, until it was read
 * back. Streams reads back every task that it knows to be hit; this is for those that it does not
 * know of.
 *
 * <p>Safe for many threads, each of which has its own.
 */
public final class ThreadStores {
  private final ThreadLocal<List<HeapStore<?>>> running = ThreadLocal.withInitial(ArrayList::new);
  private final ThreadLocal<Set<HeapStore<?>>> uncommitted =
      ThreadLocal.withInitial(() -> Collections.newSetFromMap(new IdentityHashMap<>()));

  /** A store changes in the transaction under way. */
  void changing(HeapStore<?> store) {
    uncommitted.get().add(store);
  }

  /** The calling thread's transaction was committed. */
  public void committed() {
    uncommitted.get().forEach(HeapStore::committed);
    uncommitted.get().clear();
  }

  /** The calling thread's transaction was aborted. */
  public void aborted() {
    uncommitted.get().forEach(HeapStore::breakOff);
    uncommitted.get().clear();
  }

  /** A store whose task this thread runs from now on. */
  void add(HeapStore<?> store) {
    List<HeapStore<?>> stores = running.get();
    if (!stores.contains(store)) {
      stores.add(store);
    }
  }

  /** A store that this thread has nothing to do with any more. */
  void remove(HeapStore<?> store) {
    running.get().remove(store);
  }

  /** A store that was read back, or is read back when it is needed again. */
  void forget(HeapStore<?> store) {
    remove(store);
    uncommitted.get().remove(store);
  }

  /**
   * Where a state ends.
   *
   * @param nextOffset the offset after the last record that was applied to it
   * @param life empty where it has none, or has read nothing
   */
  public record End(long nextOffset, Optional<RunningLife> life) {
    private static End of(InputState state) {
      return new End(state.position().nextOffset(), state.runningLife());
    }
  }

  /** Where the state of a task ends that the calling thread runs; empty if it does not run it. */
  public Optional<End> end(String store, int partition) {
    for (HeapStore<?> one : running.get()) {
      if (one.isOf(store, partition) && one.state() instanceof InputState state) {
        return Optional.of(End.of(state));
      }
    }
    return Optional.empty();
  }

  /** Writes the changes of all whose tasks are between two records. */
  void write() {
    for (HeapStore<?> store : running.get()) {
      if (store.isWhole()) {
        store.write();
      }
    }
  }
}
