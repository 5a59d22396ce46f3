package io.weir.lab.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.lab.hostile.HostileMessage;
import io.weir.lab.hostile.HostileRow;
import io.weir.lab.hostile.ScriptedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An MQTT broker and one of Sparkplug edge nodes, each with one edge, an honest publisher and a
 * hostile one. The honest ones have a thread. The broker of Sparkplug speaks version 3.1.1.
 */
final class HostileMqtt implements AutoCloseable {
  /** The sensor of the honest publisher. */
  static final String NEIGHBOUR = "mqtt/neighbour";

  private static final Duration STEP = Duration.ofMillis(200);

  private final ScriptedBroker broker;
  private final ScriptedBroker nodes;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread writer = new Thread(this::write, "honest publisher");

  HostileMqtt() {
    try {
      broker = new ScriptedBroker();
      nodes = new ScriptedBroker();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    broker.takesVersion5 = true;
    for (ScriptedBroker each : new ScriptedBroker[] {broker, nodes}) {
      each.sessionPresent = true;
      each.keepsMessages = true;
    }
    writer.setDaemon(true);
  }

  String url() {
    return "mqtt://127.0.0.1:" + broker.port();
  }

  String sparkplugUrl() {
    return "mqtt://127.0.0.1:" + nodes.port();
  }

  void start() {
    writer.start();
  }

  private void write() {
    while (!Waiting.until(STEP, closed::get)) {
      broker.send(HostileMessage.of(NEIGHBOUR, "1.5".getBytes(UTF_8)));
    }
  }

  /** Sends what a row is. */
  void send(HostileRow.Target target, HostileMessage message) {
    ScriptedBroker to = target == HostileRow.Target.MQTT ? broker : nodes;
    to.send(message);
  }

  @Override
  public void close() {
    closed.set(true);
    try {
      broker.close();
      nodes.close();
      writer.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
