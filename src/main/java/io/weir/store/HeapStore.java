package io.weir.store;

import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
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
 * late: the transaction is prepared by then.
 *
 * <p>After an aborted transaction Streams closes the store and restores it from the changelog's
 * beginning, as it does for every store that is not persistent: so the heap never holds more than
 * was committed, plus the transaction under way. Called by the task's thread only.
 */
public final class HeapStore implements StateStore, CachedStateStore<byte[], byte[]> {
  private final String name;
  private final PartitionState state;
  private InternalProcessorContext<?, ?> context;
  private boolean open;

  private HeapStore(String name, PartitionState state) {
    this.name = name;
    this.state = state;
  }

  /** Builds a store with a changelog for each task. */
  public static StoreBuilder<HeapStore> builder(String name, PartitionState.Factory states) {
    return new HeapStoreBuilder(name, () -> new HeapStore(name, states.create()));
  }

  /** What the store holds. */
  public PartitionState state() {
    return state;
  }

  @Override
  public void init(StateStoreContext storeContext, StateStore root) {
    state.clear();
    context = (InternalProcessorContext<?, ?>) storeContext;
    open = true;
    context.register(root, state::restore);
  }

  @Override
  public void flushCache() {
    long timestampMs = Math.max(0, state.time().largestAppendMs());
    state.flush((key, value) -> log(key, value, timestampMs));
  }

  private void log(byte[] key, byte[] value, long timestampMs) {
    context.logChange(
        name, Bytes.wrap(key), value, timestampMs, new RecordHeaders(), Position.emptyPosition());
  }

  /** Nothing is cached: a task that becomes a standby was committed, and its heap is its state. */
  @Override
  public void clearCache() {}

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public void close() {
    open = false;
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

  /** The changelog is compacted and nothing else: an entry lives until it is deleted. */
  static final Map<String, String> CHANGELOG =
      Map.of("cleanup.policy", "compact", "segment.bytes", String.valueOf(64 << 20));
}
