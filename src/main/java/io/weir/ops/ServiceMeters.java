package io.weir.ops;

/** The meters of a running service. */
public interface ServiceMeters extends AutoCloseable {
  /** Looks at the service again: called before the meters are read. */
  void refresh();

  /** Takes off what was put on the service to measure it. */
  @Override
  void close();
}
