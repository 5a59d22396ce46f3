package io.weir.cli;

import io.weir.edge.PublisherStatus;
import io.weir.edge.ReadingPublisher;
import java.io.PrintWriter;
import java.time.Duration;

/** Prints a line if Kafka does not answer within 5 s, long before the clients' timeouts. */
final class ConnectNote {
  private static final Duration SOON = Duration.ofSeconds(5);

  private ConnectNote() {}

  /** Checks once, on its own thread. */
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
        + " (weir.bootstrap.servers); check the address and that a broker runs there;"
        + " weir broker starts one for tests";
  }
}
