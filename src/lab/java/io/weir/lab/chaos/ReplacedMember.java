package io.weir.lab.chaos;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * The planted bug of a member that was replaced and still writes: the first windows that a thread
 * sent are sent again, in a transaction without offsets. The names of their clients distinguish
 * threads. Safe for many threads.
 */
final class ReplacedMember {
  private static final long FROZEN_NANOS = 5_000_000_000L;

  private record Spoken(
      Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> firstWindow) {}

  private final Map<String, Spoken> byThread = new ConcurrentHashMap<>();

  /** The thread of a client: its name without what kind of client it is. */
  static String thread(Map<String, Object> config) {
    return String.valueOf(config.get("client.id")).replaceAll("-(consumer|producer).*", "");
  }

  /** A window was sent. */
  void sent(
      String thread, Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> window) {
    Spoken before = byThread.get(thread);
    if (before == null || before.producer() != producer) {
      byThread.put(thread, new Spoken(producer, window));
    }
  }

  /** Whether a thread did nothing for so long that it was frozen. */
  static boolean wasFrozen(long lastNanos, long nowNanos) {
    return nowNanos - lastNanos > FROZEN_NANOS;
  }

  /** Says it again, outside of any transaction of its own; returns whether that was done. */
  boolean sayAgain(String thread) {
    Spoken spoken = byThread.get(thread);
    if (spoken == null) {
      return false;
    }
    try {
      spoken.producer().beginTransaction();
      spoken.producer().send(spoken.firstWindow());
      spoken.producer().commitTransaction();
      return true;
    } catch (KafkaException | IllegalStateException e) {
      // A transaction is under way, or this producer was fenced.
      return false;
    }
  }
}
