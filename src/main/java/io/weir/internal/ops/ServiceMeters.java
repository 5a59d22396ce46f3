package io.weir.internal.ops;

/** The meters of a running service. */
public interface ServiceMeters extends AutoCloseable {
  /** Refreshes the values; called before the meters are read. */
  default void refresh() {}

  /** Removes listeners from the service. */
  @Override
  default void close() {}
}
