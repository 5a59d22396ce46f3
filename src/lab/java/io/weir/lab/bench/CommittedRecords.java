package io.weir.lab.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.wire.UndecodableException;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Hands on each committed record of a topic as soon as it can be read, on a thread of its own. */
final class CommittedRecords implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);

  private final String bootstrapServers;
  private final String topic;
  private final Taker taker;
  private final Thread thread = new Thread(this::readAll, "reading");
  private volatile boolean started;
  private volatile boolean closed;
  private volatile RuntimeException failure;

  /** Takes records, on the reading thread. */
  @FunctionalInterface
  interface Taker {
    void take(ConsumerRecord<byte[], byte[]> record)
        throws InvalidProtocolBufferException, UndecodableException;
  }

  CommittedRecords(String bootstrapServers, String topic, Taker taker) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.taker = taker;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
    started = true;
  }

  /** Throws what ended the reading, if anything did. */
  void requireHealthy() {
    if (failure != null) {
      throw failure;
    }
  }

  private void readAll() {
    try (KafkaConsumer<byte[], byte[]> consumer = CommittedConsumer.of(bootstrapServers, topic)) {
      while (!closed) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          taker.take(record);
        }
      }
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      failure = new IllegalStateException(e);
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** Ends the thread, if it was started. */
  @Override
  public void close() {
    closed = true;
    try {
      if (started) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
