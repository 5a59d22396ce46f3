package io.weir.internal.collect;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Sends batches, and waits for their acknowledgements. After the first failure it closes the
 * producer, so that no later batch of a partition overtakes a failed one; the next call uses a new
 * producer. One thread.
 */
final class Sender implements AutoCloseable {
  private final OutgoingRecords records;
  private final ProducerFactory producers;
  private Producer<byte[], byte[]> producer;
  private Delivery delivery = new Delivery(0);

  /** The delivery of batches that were sent together. */
  private static final class Delivery {
    private final CountDownLatch unacknowledged;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    Delivery(int batches) {
      unacknowledged = new CountDownLatch(batches);
    }

    /** The first failure fails the delivery: all batches are sent again. */
    boolean isFirst(Exception e) {
      boolean first = failure.compareAndSet(null, e);
      while (first && unacknowledged.getCount() > 0) {
        unacknowledged.countDown();
      }
      return first;
    }
  }

  /** Creates producers. */
  @FunctionalInterface
  interface ProducerFactory {
    Producer<byte[], byte[]> open();
  }

  Sender(OutgoingRecords records, ProducerFactory producers) {
    this.records = records;
    this.producers = producers;
  }

  /** Sends batches in order; all previous ones must be acknowledged. */
  void send(List<SentBatch> batches) {
    if (producer == null) {
      producer = producers.open();
    }
    delivery = new Delivery(batches.size());
    try {
      for (SentBatch batch : batches) {
        if (delivery.failure.get() != null) {
          return;
        }
        send(producer, batch, delivery);
      }
    } catch (RuntimeException e) {
      if (delivery.failure.get() != null) {
        return; // The producer was closed.
      }
      drop();
      throw e;
    }
  }

  private void send(Producer<byte[], byte[]> to, SentBatch batch, Delivery delivery) {
    to.send(
        records.record(batch),
        (metadata, e) -> {
          if (e == null) {
            delivery.unacknowledged.countDown();
          } else if (delivery.isFirst(e)) {
            // Before the producer's thread sends a later batch of the partition.
            to.close(Duration.ZERO);
          }
        });
  }

  /**
   * Waits until all are acknowledged.
   *
   * @return false after the timeout
   * @throws KafkaException if one of them failed
   */
  boolean await(long ms) throws InterruptedException {
    boolean over = delivery.unacknowledged.await(ms, TimeUnit.MILLISECONDS);
    Exception failed = delivery.failure.get();
    if (failed != null) {
      drop();
      throw failed instanceof KafkaException kafka ? kafka : new KafkaException(failed);
    }
    return over;
  }

  /** Abandons the batches in flight, which may arrive nevertheless. */
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
