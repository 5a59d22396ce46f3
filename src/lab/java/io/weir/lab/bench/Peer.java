package io.weir.lab.bench;

import java.util.ServiceLoader;

/**
 * What Weir is compared with that brings libraries of its own, which are no part of Weir: found by
 * {@link ServiceLoader} on the class path of the measured process.
 */
public interface Peer {
  /** Whether it does what the subject says. */
  boolean does(Subject subject);

  /** The work of a task whose subject it does. */
  Work work(Task task);

  /**
   * The work of a task whose subject is a peer.
   *
   * @throws IllegalStateException if no peer on the class path does it
   */
  static Work find(Task task) {
    for (Peer peer : ServiceLoader.load(Peer.class)) {
      if (peer.does(task.subject())) {
        return peer.work(task);
      }
    }
    throw new IllegalStateException("nothing on the class path does " + task.subject());
  }
}
