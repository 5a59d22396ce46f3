package io.weir.edge;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network thread of a KafkaProducer. An error that is no exception, as where memory runs out,
 * ends it without a word: the producer goes on taking batches and answers none, and its sockets
 * stay open, since Kafka closes them at the end of that thread and nowhere else. Kafka has no
 * method for either. Where it has changed within, the thread counts as alive and nothing is closed.
 */
final class NetworkThread {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkThread.class);

  private final Thread thread;
  private final KafkaClient client;

  private NetworkThread(Thread thread, KafkaClient client) {
    this.thread = thread;
    this.client = client;
  }

  static NetworkThread of(Producer<?, ?> producer) {
    if (!(producer instanceof KafkaProducer)) {
      return new NetworkThread(null, null);
    }
    try {
      Thread thread = (Thread) valueOf(producer, "ioThread");
      KafkaClient client = (KafkaClient) valueOf(valueOf(producer, "sender"), "client");
      return new NetworkThread(thread, client);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("A producer whose network thread dies will be replaced late", e);
      return new NetworkThread(null, null);
    }
  }

  private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  /** False once the thread has ended. For any thread. */
  boolean isAlive() {
    return thread == null || thread.isAlive();
  }

  /** Closes what the thread left open when it died. After the producer's close. */
  void closeSocketsIfDead() {
    // Not while the thread lives: it closes them itself, and they are for one thread.
    if (isAlive() || !client.active()) {
      return;
    }
    try {
      client.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The sockets of a producer that died stay open", e);
    }
  }
}
