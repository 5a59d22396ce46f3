package io.weir.lab.cli.demo;

/** Shows a demo to a person. One thread, but for {@link #close}. */
interface DemoView extends AutoCloseable {
  /** Says something that stays to be read. */
  void say(String line);

  /** Shows how things are. May be called as often as one likes. */
  void show(DemoSnapshot now);

  /** Leaves the terminal as it was found; any thread, more than once. */
  @Override
  void close();
}
