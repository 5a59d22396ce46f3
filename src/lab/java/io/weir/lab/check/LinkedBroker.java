package io.weir.lab.check;

import io.weir.lab.EmbeddedKafka;
import io.weir.lab.TemporaryDirectory;
import io.weir.lab.chaos.FlakyLink;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/**
 * A broker of this process that clients reach through a link, so that its answers can be lost. What
 * it has stays when it stops, and goes when this is closed. One thread.
 */
final class LinkedBroker implements AutoCloseable {
  private final TemporaryDirectory dir;
  private final FlakyLink link;
  private final EmbeddedKafka.Options options;
  private EmbeddedKafka kafka;

  private LinkedBroker(TemporaryDirectory dir, FlakyLink link, int brokerPort) {
    this.dir = dir;
    this.link = link;
    this.options =
        EmbeddedKafka.Options.DEFAULT
            .withPort(brokerPort)
            .withDataDir(dir.path())
            .withOverrides(Map.of("advertised.listeners", "CLIENTS://" + address()));
  }

  /**
   * Starts a broker with Weir's topics.
   *
   * @param port where clients find it; 0 for any that is free
   */
  static LinkedBroker start(int port) {
    int brokerPort = FlakyLink.freePort();
    FlakyLink link = FlakyLink.between(port, brokerPort);
    LinkedBroker broker =
        new LinkedBroker(TemporaryDirectory.create("weir-check-"), link, brokerPort);
    try {
      broker.resume();
      broker.createTopics();
      return broker;
    } catch (RuntimeException | Error e) {
      broker.close();
      throw e;
    }
  }

  private void createTopics() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
  }

  /** Where clients find it, {@code host:port}. */
  String address() {
    return "127.0.0.1:" + link.port();
  }

  /**
   * From now on, until {@link #stop()}, the broker takes what is sent and its responses are
   * dropped.
   */
  void loseAnswers() {
    link.loseAnswers();
  }

  /** Breaks all connections and stops the broker. */
  void stop() {
    link.cut();
    kafka.close();
  }

  /** Starts the broker again, with all that it had. */
  void resume() {
    kafka = EmbeddedKafka.start(options);
    link.heal();
  }

  @Override
  public void close() {
    try (dir;
        link) {
      if (kafka != null) {
        kafka.close();
      }
    }
  }
}
