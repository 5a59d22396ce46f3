package io.weir.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Three brokers in this JVM, of which the first is the controller too. */
public final class ThreeBrokers implements AutoCloseable {
  private final List<EmbeddedKafka> brokers = new ArrayList<>();
  private final int controllerPort;
  private final List<Integer> ports = new ArrayList<>();

  public ThreeBrokers() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sockets.add(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
    }
    for (ServerSocket socket : sockets) {
      ports.add(socket.getLocalPort());
      socket.close();
    }
    controllerPort = ports.get(3);
  }

  /** Starts the next one. */
  public void startOne() {
    int number = brokers.size();
    Map<String, String> settings = new HashMap<>();
    settings.put("broker.session.timeout.ms", "9000");
    settings.put("controlled.shutdown.enable", "true");
    String own = "CLIENTS://127.0.0.1:" + ports.get(number);
    settings.put("node.id", String.valueOf(number + 1));
    settings.put("process.roles", number == 0 ? "broker,controller" : "broker");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put("advertised.listeners", own);
    settings.put(
        "listeners", number == 0 ? own + ",CONTROLLER://127.0.0.1:" + controllerPort : own);
    brokers.add(EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT.withOverrides(settings)));
  }

  /** The first one: the others may be away. */
  public String bootstrapServers() {
    return "127.0.0.1:" + ports.get(0);
  }

  /** All three, whether they run or not. */
  public String allBootstrapServers() {
    return bootstrapServers() + ",127.0.0.1:" + ports.get(1) + ",127.0.0.1:" + ports.get(2);
  }

  /** Stops the one that was started last. */
  public void stopLast() {
    brokers.remove(brokers.size() - 1).close();
  }

  @Override
  public void close() {
    while (!brokers.isEmpty()) {
      stopLast();
    }
  }
}
