package io.weir.edge;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network thread of a KafkaProducer. An Error, such as OutOfMemoryError, ends it silently: the
 * producer still accepts batches but completes none, and its sockets stay open, because Kafka
 * closes them only at the normal end of that thread. Kafka has no API for either, so this uses
 * reflection. If Kafka's internals change, the thread counts as alive and nothing is closed.
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
      LOG.warn(
          "Cannot watch the producer's network thread; if it dies, its replacement is " + "delayed",
          e);
      return new NetworkThread(null, null);
    }
  }

  private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  /** False once the thread has ended. Thread-safe. */
  boolean isAlive() {
    return thread == null || thread.isAlive();
  }

  /** Closes the sockets of a dead thread. Call after the producer's close. */
  void closeSocketsIfDead() {
    // A live thread closes them itself, and they are not thread-safe.
    if (isAlive() || !client.active()) {
      return;
    }
    try {
      client.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot close the sockets of a failed producer", e);
    }
  }
}
