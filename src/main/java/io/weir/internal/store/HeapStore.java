package io.weir.internal.store;

import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.TaskMigratedException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;

/**
 * A state store whose content lives on the heap as objects and nowhere else; what changed is
 * written to the changelog once a commit, before the transaction is prepared.
 *
 * <p>This class alone leans on internals of Kafka Streams 4.3.1, pinned in the build and held by
 * tests: {@code ProcessorStateManager.flushCache} calls {@link #flushCache} on every {@code
 * CachedStateStore} just before the producer is flushed and the transaction committed, and {@code
 * logChange} sends to the store's own changelog partition. {@code StateStore.commit} would be too
 * late: the transaction is prepared by then. The first store of a thread that is asked writes for
 * all of them, see {@link ThreadStores}; one whose task broke off within a record is left out, as
 * what it holds is not to be committed: it gives nothing out and takes nothing in until it has been
 * read back.
 *
 * <p>After an aborted transaction the store is closed and restored from the changelog's beginning:
 * Streams does so for every store that is not persistent, where it gives up the store's task, and
 * the application's producer sees to it that it gives up all tasks that took part. So the heap
 * never holds more than was committed, plus the transaction under way. Called by the task's thread
 * only.
 */
public final class HeapStore<S extends HeapState>
    implements StateStore, CachedStateStore<byte[], byte[]> {
  private final String name;
  private final S state;
  private final ThreadStores siblings;
  private final IntConsumer onCommit;
  private InternalProcessorContext<?, ?> context;
  private int partition;
  private boolean open;
  private boolean whole;

  private HeapStore(String name, S state, ThreadStores siblings, IntConsumer onCommit) {
    this.name = name;
    this.state = state;
    this.siblings = siblings;
    this.onCommit = onCommit;
  }

  /**
   * Builds a store with a changelog for each task. A topology may have several, of several kinds,
   * under different names.
   *
   * @param states makes the state of a task
   * @param siblings the other stores of each thread
   * @param onCommit receives the partition of a task each time that a change of its store is
   *     committed, in the task's thread
   */
  public static <S extends HeapState> StoreBuilder<HeapStore<S>> builder(
      String name, Supplier<S> states, ThreadStores siblings, IntConsumer onCommit) {
    return new HeapStoreBuilder<>(
        name, () -> new HeapStore<>(name, states.get(), siblings, onCommit));
  }

  /** What the store holds. */
  public S state() {
    return state;
  }

  @Override
  public void init(StateStoreContext storeContext, StateStore root) {
    state.clear();
    whole = true;
    context = (InternalProcessorContext<?, ?>) storeContext;
    partition = context.taskId().partition();
    open = true;
    context.register(root, state::restore);
  }

  /** The task runs in this thread from now on, after all that was kept has been read back. */
  public void resume() {
    state.resume();
    siblings.add(this);
  }

  /** The task rests, or is at its end: whatever is in the state was written, or is not to be. */
  public void rest() {
    siblings.remove(this);
  }

  /**
   * The state is about to change; until {@link #changed} it belongs to no commit.
   *
   * @throws TaskMigratedException if an earlier change was never completed; Streams then closes the
   *     thread's tasks and reads them back
   */
  public void changing() {
    requireWhole();
    whole = false;
    siblings.changing(this);
  }

  /** The transaction that holds a change was aborted. */
  void breakOff() {
    whole = false;
  }

  /** The change is complete. */
  public void changed() {
    whole = true;
  }

  /** The transaction that holds changes was committed. */
  void committed() {
    onCommit.accept(partition);
  }

  boolean isOf(String store, int taskPartition) {
    return partition == taskPartition && name.equals(store);
  }

  boolean isWhole() {
    return whole;
  }

  private void requireWhole() {
    if (!whole) {
      throw new TaskMigratedException(
          "a change of "
              + name
              + " was never committed: the state is read back from the changelog");
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws TaskMigratedException if a change was never completed
   */
  @Override
  public void flushCache() {
    requireWhole();
    siblings.write();
    write();
  }

  /** Writes what changed since it was last written. */
  void write() {
    long timestampMs = Timestamps.bounded(state.appendMs(), context.currentSystemTimeMs());
    state.flush((key, value) -> log(key, value, timestampMs));
  }

  private void log(byte[] key, byte[] value, long timestampMs) {
    context.logChange(
        name, Bytes.wrap(key), value, timestampMs, new RecordHeaders(), Position.emptyPosition());
  }

  /**
   * The task becomes a standby, which another thread keeps up to date. Nothing is cached: it was
   * committed, and its heap is its state.
   *
   * @throws TaskMigratedException if the state was never committed: Streams then closes the task
   *     and reads it back
   */
  @Override
  public void clearCache() {
    requireWhole();
    siblings.forget(this);
  }

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public void close() {
    open = false;
    siblings.forget(this);
    state.clear();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public Position getPosition() {
    return Position.emptyPosition();
  }

  /**
   * The changelog is compacted and nothing else: an entry lives until it is deleted. Its brokers
   * stamp its records, so that no other clock can make one that they refuse. What is here is
   * stronger than the settings of the application, which say the rest.
   */
  static final Map<String, String> CHANGELOG =
      Map.of("cleanup.policy", "compact", "message.timestamp.type", "LogAppendTime");
}
