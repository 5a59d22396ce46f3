package io.weir.internal.app;

import io.weir.internal.time.Daemons;
import io.weir.internal.topology.Ticks;
import io.weir.internal.wire.Tick;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends ticks to the readings topic, without a transaction: at most one for each partition is in
 * flight, and it expires after {@value #DELIVERY_TIMEOUT_MS} ms, so that ticks do not pile up
 * during an outage. One producer and one thread for the process, created with the first tick. Safe
 * for many threads; {@link #ask} neither blocks nor throws.
 */
public final class TickWriter implements Ticks, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TickWriter.class);
  private static final int DELIVERY_TIMEOUT_MS = 10_000;
  private static final int REQUEST_TIMEOUT_MS = 5_000;

  private final String topic;
  private final Map<String, Object> client;
  private final Consumer<AuthorizationException> onRefusal;
  private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(Daemons.named("weir-ticks"));

  /** Used only by the executor's thread. */
  private Producer<byte[], byte[]> producer;

  private boolean failing;

  /**
   * @param onRefusal called when the process is not authorized to write ticks
   */
  public TickWriter(String topic, KafkaSettings kafka, Consumer<AuthorizationException> onRefusal) {
    this.topic = topic;
    this.onRefusal = onRefusal;
    this.client = kafka.forProducer();
    client.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    client.put(ProducerConfig.ACKS_CONFIG, "1");
    client.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    client.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    client.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    client.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS);
    client.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DELIVERY_TIMEOUT_MS);
    client.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
  }

  @Override
  public void ask(int partition) {
    if (underWay.add(partition)) {
      try {
        executor.execute(() -> send(partition));
      } catch (RejectedExecutionException e) {
        underWay.remove(partition); // closed
      }
    }
  }

  private void send(int partition) {
    try {
      if (producer == null) {
        producer =
            new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
      }
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(topic, partition, null, Tick.value());
      Tick.mark(record.headers());
      producer.send(record, (metadata, failure) -> done(partition, failure));
    } catch (KafkaException e) {
      done(partition, e);
    }
  }

  private void done(int partition, Exception failure) {
    underWay.remove(partition);
    if (failure instanceof AuthorizationException refusal) {
      onRefusal.accept(refusal);
    } else if (failure != null && !failing && !executor.isShutdown()) {
      LOG.warn(
          "could not append a tick to {} partition {}: {}; windows of idle sensors wait for the next one",
          topic,
          partition,
          failure.getMessage());
    }
    failing = failure != null;
  }

  /** Ticks in flight may be lost. May be called again. */
  @Override
  public void close() {
    try {
      executor.execute(this::closeProducer);
    } catch (RejectedExecutionException e) {
      return; // closed before
    }
    executor.shutdown();
  }

  private void closeProducer() {
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
  }
}
