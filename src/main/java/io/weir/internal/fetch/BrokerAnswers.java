package io.weir.internal.fetch;

import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * When brokers last answered a consumer. It polls without an error while they are away, and reports
 * the lag that it knew before; only the bytes that it received show it. One thread.
 */
public final class BrokerAnswers {
  private final Consumer<?, ?> consumer;
  private final LongSupplier elapsedMs;
  private Metric received;
  private double bytes;
  private long newestMs;

  /**
   * @param elapsedMs a monotonic clock
   */
  public BrokerAnswers(Consumer<?, ?> consumer, LongSupplier elapsedMs) {
    this.consumer = consumer;
    this.elapsedMs = elapsedMs;
    this.newestMs = elapsedMs.getAsLong();
  }

  /**
   * When they last answered, by the clock. To be asked more often than the answer is to be exact.
   */
  public long newestMs() {
    if (received == null) {
      consumer.metrics().entrySet().stream()
          .filter(entry -> entry.getKey().name().equals("incoming-byte-total"))
          .filter(entry -> entry.getKey().group().equals("consumer-metrics"))
          .findAny()
          .ifPresent(entry -> received = entry.getValue());
    }
    if (received != null && received.metricValue() instanceof Double now && now != bytes) {
      bytes = now;
      newestMs = elapsedMs.getAsLong();
    }
    return newestMs;
  }
}
