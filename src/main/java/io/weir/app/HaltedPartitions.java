package io.weir.app;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions of this process that stand still until a person decides, since the state of each was
 * lost; the others go on. Its consumers do not read them, so that nothing of them is committed.
 * Safe for many threads.
 */
public final class HaltedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HaltedPartitions.class);

  private final Map<TopicPartition, Halt> halts = new ConcurrentHashMap<>();
  private final AtomicLong recordsLost = new AtomicLong();
  private volatile boolean any;

  /** Why a partition stands still, and what ends that. */
  private record Halt(String reason, Condition decided) {}

  /** Whether a person has decided; may ask the brokers. */
  @FunctionalInterface
  interface Condition {
    boolean holds();
  }

  /** A partition stands still from now on. */
  void halt(TopicPartition partition, String reason, Condition decided) {
    if (halts.put(partition, new Halt(reason, decided)) == null) {
      LOG.error("{} is halted, the other partitions go on: {}", partition, reason);
    }
    any = true;
  }

  /** Looks whether persons have decided. */
  void look() {
    halts.forEach(
        (partition, halt) -> {
          if (halt.decided().holds()) {
            LOG.info("{} goes on", partition);
            halts.remove(partition, halt);
          }
        });
    any = !halts.isEmpty();
  }

  /** A partition goes on without records that were lost, as a person has decided. */
  void goneOn(long records) {
    recordsLost.addAndGet(records);
  }

  /** How many records partitions went on without, counted as offsets. */
  public long recordsLost() {
    return recordsLost.get();
  }

  /** Whether there is any. */
  boolean any() {
    return any;
  }

  /** Whether a partition stands still, as far as is known here. */
  public boolean has(TopicPartition partition) {
    return any && halts.containsKey(partition);
  }

  /** Why it stands still; empty if it does not. */
  public Optional<String> reason(TopicPartition partition) {
    return Optional.ofNullable(halts.get(partition)).map(Halt::reason);
  }

  /** All of them, also those that another process reads now. */
  public Set<TopicPartition> all() {
    return Set.copyOf(halts.keySet());
  }

  /** Those among others. */
  Set<TopicPartition> among(Collection<TopicPartition> partitions) {
    Set<TopicPartition> halted = new HashSet<>(partitions);
    halted.retainAll(halts.keySet());
    return halted;
  }
}
