package io.weir.internal.time;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep a process alive. */
public final class Daemons {
  private Daemons() {}

  /** Makes daemon threads of this name. */
  public static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
