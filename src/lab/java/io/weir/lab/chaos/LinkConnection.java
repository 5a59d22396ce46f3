package io.weir.lab.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/**
 * A client's connection through a {@link FlakyLink}, passed on both ways. Safe for many threads.
 */
final class LinkConnection {
  private static final int CHUNK_BYTES = 32 * 1024;

  private final FlakyLink link;
  private final Socket client;
  private final Socket broker;
  private volatile boolean swallowing;
  private volatile boolean losingAnswers;

  LinkConnection(FlakyLink link, Socket client, Socket broker) {
    this.link = link;
    this.client = client;
    this.broker = broker;
  }

  /** Begins to pass on. */
  void start() throws IOException {
    client.setTcpNoDelay(true);
    broker.setTcpNoDelay(true);
    daemon(() -> pass(client, broker));
    daemon(() -> pass(broker, client));
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(null, work, "link connection", CHUNK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  private void pass(Socket from, Socket to) {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        if (link.delayMs() > 0) {
          LockSupport.parkNanos(link.delayMs() * 1_000_000);
        }
        if (!swallowing && !(losingAnswers && to == client)) {
          out.write(chunk, 0, length);
          if (to == client) {
            link.passedToClient(length);
          }
        }
      }
    } catch (IOException e) {
      // One side is gone: so is the other, below.
    }
    close();
  }

  /** From now on drops what is sent, without an error to anyone. */
  void swallow() {
    swallowing = true;
  }

  /** From now on what the broker sends vanishes, and what it is sent arrives. */
  void loseAnswers() {
    losingAnswers = true;
  }

  void closeIfSwallowing() {
    if (swallowing || losingAnswers) {
      close();
    }
  }

  void close() {
    link.gone(this);
    try (client) {
      broker.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
    }
  }
}
