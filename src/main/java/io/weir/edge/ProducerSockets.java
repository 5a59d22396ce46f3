package io.weir.edge;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the sockets of a producer whose network thread died, for want of memory perhaps. Kafka
 * closes them at the end of that thread and nowhere else, and has no method for it: each producer
 * that died would leave its descriptors open until the process ends.
 */
final class ProducerSockets {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerSockets.class);

  private ProducerSockets() {}

  /** After the producer's close. Where Kafka has changed within, nothing is closed. */
  static void closeIfLeft(Producer<?, ?> producer) {
    if (!(producer instanceof KafkaProducer)) {
      return;
    }
    try {
      Thread network = (Thread) valueOf(producer, "ioThread");
      KafkaClient client = (KafkaClient) valueOf(valueOf(producer, "sender"), "client");
      // Not while the thread lives: it closes them itself, and they are for one thread.
      if (!network.isAlive() && client.active()) {
        client.close();
      }
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      LOG.warn("The sockets of a producer that died stay open", e);
    }
  }

  private static Object valueOf(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
