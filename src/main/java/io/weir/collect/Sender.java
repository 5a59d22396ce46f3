package io.weir.collect;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Sends batches, and says when all of them are acknowledged. After the first failure the producer
 * is closed, so that no later batch of a partition passes one that failed, and the next call begins
 * with a new producer. One thread.
 */
final class Sender implements AutoCloseable {
  private final OutgoingRecords records;
  private final ProducerFactory producers;
  private Producer<byte[], byte[]> producer;
  private CountDownLatch unacknowledged = new CountDownLatch(0);
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** Makes producers. */
  @FunctionalInterface
  interface ProducerFactory {
    Producer<byte[], byte[]> open();
  }

  Sender(OutgoingRecords records, ProducerFactory producers) {
    this.records = records;
    this.producers = producers;
  }

  /** Hands batches over, in their order; all of those before are acknowledged. */
  void send(List<SentBatch> batches) {
    if (producer == null) {
      producer = producers.open();
    }
    failure.set(null);
    CountDownLatch latch = new CountDownLatch(batches.size());
    unacknowledged = latch;
    try {
      for (SentBatch batch : batches) {
        if (failure.get() != null) {
          return;
        }
        send(producer, batch, latch);
      }
    } catch (RuntimeException e) {
      drop();
      throw e;
    }
  }

  private void send(Producer<byte[], byte[]> to, SentBatch batch, CountDownLatch latch) {
    to.send(
        records.record(batch),
        (metadata, e) -> {
          if (e == null) {
            latch.countDown();
          } else if (failure.compareAndSet(null, e)) {
            // Before its thread takes up a later batch of the partition.
            to.close(Duration.ZERO);
            // Nobody waits for the others: all are sent again.
            while (latch.getCount() > 0) {
              latch.countDown();
            }
          }
        });
  }

  /**
   * Waits until all are acknowledged.
   *
   * @return false if not all are after so long
   * @throws KafkaException if one of them failed
   */
  boolean await(long ms) throws InterruptedException {
    boolean over = unacknowledged.await(ms, TimeUnit.MILLISECONDS);
    Exception failed = failure.get();
    if (failed != null) {
      drop();
      throw failed instanceof KafkaException kafka ? kafka : new KafkaException(failed);
    }
    return over;
  }

  /** Gives up what is under way; it may arrive nevertheless. */
  void drop() {
    Producer<byte[], byte[]> dropped = producer;
    producer = null;
    if (dropped != null) {
      dropped.close(Duration.ZERO);
    }
  }

  @Override
  public void close() {
    drop();
  }
}
