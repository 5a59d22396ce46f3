package io.weir.edge;

import io.weir.lab.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An embedded broker whose leaders come up late: the first produce request that touches a partition
 * is answered NOT_LEADER_OR_FOLLOWER and never reaches the broker, while everything behind it does.
 * Clients find it at an address of its own, through which all their requests go.
 */
final class LateLeaders implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final ServerSocket door;
  private final EmbeddedKafka kafka;
  private final Set<LateConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<ProduceMessage.Partition> contacted = ConcurrentHashMap.newKeySet();
  private final AtomicInteger overtakings = new AtomicInteger();
  private final AtomicInteger outOfOrders = new AtomicInteger();

  private LateLeaders(ServerSocket door, EmbeddedKafka kafka) {
    this.door = door;
    this.kafka = kafka;
    daemon("late-leaders", this::accept);
  }

  static LateLeaders start() throws IOException {
    ServerSocket door = new ServerSocket(0, 50, InetAddress.getByName(HOST));
    try {
      String advertised = "CLIENTS://" + HOST + ":" + door.getLocalPort();
      EmbeddedKafka.Options options =
          EmbeddedKafka.Options.DEFAULT.withOverrides(Map.of("advertised.listeners", advertised));
      return new LateLeaders(door, EmbeddedKafka.start(options));
    } catch (RuntimeException | Error e) {
      door.close();
      throw e;
    }
  }

  String bootstrapServers() {
    return HOST + ":" + door.getLocalPort();
  }

  /** Partitions that were refused at first contact. */
  int firstContacts() {
    return contacted.size();
  }

  /** Requests that came for a partition while the answer to its first one was outstanding. */
  int overtakings() {
    return overtakings.get();
  }

  /** Requests that the broker refused with OUT_OF_ORDER_SEQUENCE_NUMBER. */
  int outOfOrders() {
    return outOfOrders.get();
  }

  /** Whether the leader of one of them is not up yet; it is from now on. */
  boolean areContactedFirst(Set<ProduceMessage.Partition> partitions) {
    return contacted.addAll(partitions);
  }

  void overtaken() {
    overtakings.incrementAndGet();
  }

  void outOfOrder() {
    outOfOrders.incrementAndGet();
  }

  @Override
  public void close() throws IOException {
    door.close();
    connections.forEach(LateConnection::close);
    kafka.close();
  }

  static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    String address = kafka.bootstrapServers();
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        connections.add(new LateConnection(this, client, new Socket(HOST, port)));
      } catch (IOException e) {
        if (!door.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
