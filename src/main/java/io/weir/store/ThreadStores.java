package io.weir.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The stores of the tasks that run in a thread: when the first of them is asked for its changes,
 * all give theirs.
 *
 * <p>Streams 4.3.1 prepares a thread's tasks for a commit one after another, and waits after each
 * until the brokers have what it wrote. Sixteen tasks waited for sixteen answers; now the first
 * waits for all at once, and the others have nothing to wait for. To write before one is asked is
 * what every store of Streams does that has no cache: the thread's tasks share a producer and its
 * transaction.
 *
 * <p>Safe for many threads, each of which has its own.
 */
final class ThreadStores {
  private final ThreadLocal<List<HeapStore>> running = ThreadLocal.withInitial(ArrayList::new);

  /** A store whose task this thread runs from now on. */
  void add(HeapStore store) {
    List<HeapStore> stores = running.get();
    if (!stores.contains(store)) {
      stores.add(store);
    }
  }

  /** A store that this thread has nothing to do with any more. */
  void remove(HeapStore store) {
    running.get().remove(store);
  }

  /** Writes the changes of all whose tasks are between two records. */
  void write() {
    for (HeapStore store : running.get()) {
      if (store.isWhole()) {
        store.write();
      }
    }
  }
}
