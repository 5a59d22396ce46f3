package io.weir.internal.store;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Makes heap stores for Streams; their changelog is not optional and there is no cache to set. */
final class HeapStoreBuilder<S extends HeapState> implements StoreBuilder<HeapStore<S>> {
  private final String name;
  private final Supplier<HeapStore<S>> stores;

  HeapStoreBuilder(String name, Supplier<HeapStore<S>> stores) {
    this.name = name;
    this.stores = stores;
  }

  @Override
  public HeapStore<S> build() {
    return stores.get();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean loggingEnabled() {
    return true;
  }

  @Override
  public Map<String, String> logConfig() {
    return HeapStore.CHANGELOG;
  }

  @Override
  public StoreBuilder<HeapStore<S>> withCachingEnabled() {
    return this;
  }

  @Override
  public StoreBuilder<HeapStore<S>> withCachingDisabled() {
    return this;
  }

  @Override
  public StoreBuilder<HeapStore<S>> withLoggingEnabled(Map<String, String> config) {
    throw new IllegalStateException("the changelog's settings are fixed");
  }

  @Override
  public StoreBuilder<HeapStore<S>> withLoggingDisabled() {
    throw new IllegalStateException("the heap alone would be lost with its process");
  }
}
