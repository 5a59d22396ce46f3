package io.weir.internal.app;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A service in the state that a test sets. */
public final class FakeService implements Service {
  public final CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
  public boolean ready = true;
  public boolean closed;
  public long successAgeMs;
  public Map<Dependency, Long> waits = Map.of();

  @Override
  public CompletableFuture<Optional<String>> ended() {
    return ended;
  }

  @Override
  public long successAgeMs() {
    return successAgeMs;
  }

  @Override
  public Map<Dependency, Long> waits() {
    return waits;
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public String describe() {
    return ready ? "RUNNING" : "REBALANCING";
  }

  @Override
  public void close() {
    closed = true;
    ended.complete(Optional.empty());
  }
}
