package io.weir.cli;

import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import java.io.PrintWriter;
import java.time.Duration;

/** A line where Kafka does not answer soon, long before the clients' own timeouts are over. */
final class ConnectNote {
  private static final Duration SOON = Duration.ofSeconds(5);

  private ConnectNote() {}

  /** Looks once, on a thread of its own. */
  static void watch(ReadingPublisher publisher, String servers, PrintWriter err) {
    Thread thread = new Thread(() -> look(publisher, servers, err), "weir-connect-note");
    thread.setDaemon(true);
    thread.start();
  }

  private static void look(ReadingPublisher publisher, String servers, PrintWriter err) {
    try {
      boolean ready = publisher.awaitReady(SOON);
      if (!ready && publisher.status().state() == PublisherStatus.State.CONNECTING) {
        err.println(of(servers));
        err.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static String of(String servers) {
    return "weir edge: waiting for an answer from Kafka at "
        + servers
        + " (weir.bootstrap.servers); is that the address, and does a broker run there?"
        + " weir broker is one to try things out";
  }
}
