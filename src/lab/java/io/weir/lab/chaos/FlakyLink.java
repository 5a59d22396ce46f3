package io.weir.lab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The network in front of a broker: what its clients connect to. It can be cut, let connections die
 * without a word, and be slow. Safe for many threads; two threads a connection.
 */
public final class FlakyLink implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int BACKLOG = 200;

  private final ServerSocket door;
  private final int brokerPort;
  private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
  private final LongAdder bytesToClients = new LongAdder();
  private volatile boolean cut;
  private volatile long delayMs;

  private FlakyLink(ServerSocket door, int brokerPort) {
    this.door = door;
    this.brokerPort = brokerPort;
  }

  /** Opens a way to a broker that need not be up yet. */
  static FlakyLink to(int brokerPort) {
    return between(0, brokerPort);
  }

  /**
   * Opens a way to a broker that need not be up yet.
   *
   * @param port where clients find it; 0 for any that is free
   * @throws UncheckedIOException if the port is taken
   */
  public static FlakyLink between(int port, int brokerPort) {
    try {
      ServerSocket door = new ServerSocket(port, BACKLOG, InetAddress.getByName(HOST));
      FlakyLink link = new FlakyLink(door, brokerPort);
      Thread acceptor = new Thread(link::accept, "link");
      acceptor.setDaemon(true);
      acceptor.start();
      return link;
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port + " on " + HOST + ": " + e.getMessage(), e);
    }
  }

  /** A port for a broker behind a link. */
  public static int freePort() {
    return FreePorts.find(1).get(0);
  }

  public int port() {
    return door.getLocalPort();
  }

  /** Breaks all connections, and takes none. */
  public void cut() {
    cut = true;
    connections.forEach(LinkConnection::close);
  }

  /** Holds the connections that there are half open: what is sent on them vanishes. */
  void swallow() {
    connections.forEach(LinkConnection::swallow);
  }

  /** From now on what brokers answer vanishes, on the connections that there are. */
  public void loseAnswers() {
    connections.forEach(LinkConnection::loseAnswers);
  }

  /** Slows everything down by that long. */
  void delay(long millis) {
    delayMs = millis;
  }

  /** The link works again; connections on which bytes vanished are broken. */
  public void heal() {
    cut = false;
    delayMs = 0;
    connections.forEach(LinkConnection::closeIfSwallowing);
  }

  long delayMs() {
    return delayMs;
  }

  /** What the clients were sent so far. */
  public long bytesToClients() {
    return bytesToClients.sum();
  }

  void passedToClient(int bytes) {
    bytesToClients.add(bytes);
  }

  void gone(LinkConnection connection) {
    connections.remove(connection);
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        connect(door.accept());
      } catch (IOException e) {
        // The door is closed, or the broker is down: the client will try again.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    if (cut) {
      client.close();
      return;
    }
    Socket broker = new Socket();
    try {
      broker.connect(new InetSocketAddress(HOST, brokerPort));
    } catch (IOException e) {
      client.close();
      throw e;
    }
    LinkConnection connection = new LinkConnection(this, client, broker);
    connections.add(connection);
    connection.start();
    if (cut) {
      connection.close();
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connections.forEach(LinkConnection::close);
  }
}
