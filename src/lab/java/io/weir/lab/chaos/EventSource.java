package io.weir.lab.chaos;

import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.topic.SensorPartition;
import io.weir.v1.EventBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A gateway that sends events and orders of scheduled ones, some batches again and some without a
 * sequence, in a thread of its own. At its end it cancels whatever may still wait.
 */
final class EventSource implements AutoCloseable {
  private static final Duration STEP = Duration.ofMillis(40);
  private static final int LONGEST_STEPS = 10;
  private static final long A_DAY_MS = 86_400_000;
  private static final int LONGEST_SEND_MS = 600_000;

  /** Of twelve batches, where the run is signed. */
  private static final int FORGED = 2;

  private final String gatewayId;
  private final long bootId = System.currentTimeMillis() - A_DAY_MS << 20;
  private final Random random;
  private final EventTraffic traffic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Map<TopicPartition, Long> sequences = new HashMap<>();
  private final Map<TopicPartition, byte[]> last = new HashMap<>();
  private final Optional<Forger> forger;
  private final Optional<GatewayKey> key;
  private final Map<String, BatchSigner> signers = new HashMap<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong given = new AtomicLong();
  private final Thread thread;
  private final Duration step;

  /**
   * @param random this thread's alone, as is the traffic
   * @param keys signs its batches, where the run is signed; then others forge some
   * @param pauses factor of the time between two sends, from 1
   */
  EventSource(
      String gatewayId,
      Random random,
      EventTraffic traffic,
      ChaosKeys keys,
      String bootstrapServers,
      int pauses) {
    this.key = keys.of(gatewayId);
    this.forger = keys.of(Forger.ID).map(own -> new Forger(own, random));
    this.step = STEP.multipliedBy(Math.min(LONGEST_STEPS, pauses));
    this.gatewayId = gatewayId;
    this.random = random;
    this.traffic = traffic;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.CLIENT_ID_CONFIG,
                gatewayId,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                LONGEST_SEND_MS,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                LONGEST_SEND_MS),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    this.thread = new Thread(this::run, gatewayId);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!Waiting.until(step, stopped::get)) {
        traffic.next(System.currentTimeMillis()).forEach(part -> send(part, false));
      }
      List<EventTraffic.Part> last = traffic.last(System.currentTimeMillis());
      while (!last.isEmpty()) {
        last = sendAll(last);
      }
    } catch (KafkaException | IllegalStateException e) {
      // Closed meanwhile, or given up: what was not acknowledged is missing in the sum.
    }
  }

  /** Without the last events keys live for ever. Returns those that no broker acknowledged. */
  private List<EventTraffic.Part> sendAll(List<EventTraffic.Part> parts) {
    Map<EventTraffic.Part, Future<RecordMetadata>> sent = new LinkedHashMap<>();
    parts.forEach(part -> sent.put(part, send(part, key.isPresent())));
    producer.flush();
    return parts.stream().filter(part -> !isThere(sent.get(part))).toList();
  }

  private static boolean isThere(Future<RecordMetadata> sent) {
    try {
      sent.get();
      return true;
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * Sends a batch.
   *
   * @param mustCount whether it has a sequence in any case: a signed batch without one is refused
   */
  private Future<RecordMetadata> send(EventTraffic.Part part, boolean mustCount) {
    TopicPartition to = new TopicPartition(part.topic(), SensorPartition.of(part.key()));
    int chance = random.nextInt(12);
    if (chance == 0 && last.containsKey(to)) {
      send(to, last.get(to));
    }
    EventBatch.Builder batch = EventBatch.newBuilder().addAllEvents(part.events());
    batch.setGatewayId(gatewayId);
    if (chance > 1 || mustCount) {
      long sequence = sequences.merge(to, 1L, Long::sum);
      batch.setBootId(bootId).setSequence(sequence);
      if (chance == FORGED && forger.isPresent()) {
        // It would use the sequence of the batch that follows.
        send(forger.get().record(to, batch.build().toByteArray()));
      }
    }
    byte[] value = batch.build().toByteArray();
    if (batch.getBootId() != 0) {
      last.put(to, value);
    }
    return send(to, value);
  }

  private Future<RecordMetadata> send(TopicPartition to, byte[] value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(to.topic(), to.partition(), null, value);
    key.map(own -> signers.computeIfAbsent(to.topic(), topic -> BatchSigner.of(topic, own)))
        .ifPresent(signer -> signer.sign(to.partition(), value, record.headers()));
    return send(record);
  }

  private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    given.incrementAndGet();
    return producer.send(
        record,
        (metadata, failure) -> {
          if (failure == null) {
            acknowledged.incrementAndGet();
          }
        });
  }

  /** Sends nothing more; returns when all is acknowledged or given up, or after a while. */
  void finish(Duration atMost) {
    stopped.set(true);
    try {
      thread.join(atMost.toMillis());
      producer.close(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Batches that were handed over and that no broker acknowledged. */
  long unacknowledged() {
    return given.get() - acknowledged.get();
  }

  @Override
  public void close() {
    stopped.set(true);
    producer.close(Duration.ZERO);
  }
}
