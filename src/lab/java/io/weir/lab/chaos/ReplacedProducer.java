package io.weir.lab.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer that is replaced once its network thread has died, as it does where memory runs out:
 * it would take records and send none. What it had taken is lost. One thread.
 */
final class ReplacedProducer implements AutoCloseable {
  private static final String THREAD_PREFIX = "kafka-producer-network-thread | ";

  private final String clientId;
  private final Map<String, Object> settings;
  private KafkaProducer<byte[], byte[]> producer;
  private Thread network;

  ReplacedProducer(String clientId, Map<String, Object> settings) {
    this.clientId = clientId;
    this.settings = new HashMap<>(settings);
    this.settings.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
  }

  /** One that sends; opened where there is none. */
  KafkaProducer<byte[], byte[]> get() {
    if (producer != null && !network.isAlive()) {
      KafkaProducer<byte[], byte[]> dead = producer;
      producer = null;
      dead.close(Duration.ZERO);
    }
    if (producer == null) {
      KafkaProducer<byte[], byte[]> opened =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
      network = networkThread();
      producer = opened;
    }
    return producer;
  }

  /** One that has died already where it is not found. */
  private Thread networkThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(THREAD_PREFIX + clientId))
        .findAny()
        .orElseGet(Thread::new);
  }

  /** Waits until what was sent is acknowledged or given up. */
  @Override
  public void close() {
    if (producer != null) {
      producer.close();
    }
  }
}
