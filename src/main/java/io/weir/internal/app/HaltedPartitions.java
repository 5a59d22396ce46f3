package io.weir.internal.app;

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
 * Partitions of this process that are halted until an operator decides, because their state was
 * lost; the others continue. Consumers do not read them, so nothing of them is committed. Safe for
 * many threads.
 */
public final class HaltedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HaltedPartitions.class);

  private final Map<TopicPartition, Halt> halts = new ConcurrentHashMap<>();
  private final AtomicLong recordsLost = new AtomicLong();
  private volatile boolean any;

  /** The reason of a halt, and the condition that ends it. */
  private record Halt(String reason, Condition decided) {}

  /** Whether an operator has decided; may query the brokers. */
  @FunctionalInterface
  interface Condition {
    boolean holds();
  }

  /** Halts a partition. */
  void halt(TopicPartition partition, String reason, Condition decided) {
    if (halts.put(partition, new Halt(reason, decided)) == null) {
      LOG.error("{} is halted, the other partitions continue: {}", partition, reason);
    }
    any = true;
  }

  /** Checks for decisions of operators. */
  void look() {
    halts.forEach(
        (partition, halt) -> {
          if (halt.decided().holds()) {
            LOG.info("{} continues", partition);
            halts.remove(partition, halt);
          }
        });
    any = !halts.isEmpty();
  }

  /** A partition continues without lost records, as an operator has decided. */
  void goneOn(long records) {
    recordsLost.addAndGet(records);
  }

  /** The number of skipped records, counted as offsets. */
  public long recordsLost() {
    return recordsLost.get();
  }

  /** Whether there is any. */
  boolean any() {
    return any;
  }

  /** Whether this process has halted a partition. */
  public boolean has(TopicPartition partition) {
    return any && halts.containsKey(partition);
  }

  /** The reason of a halt; empty if the partition is not halted. */
  public Optional<String> reason(TopicPartition partition) {
    return Optional.ofNullable(halts.get(partition)).map(Halt::reason);
  }

  /** All halted partitions, including those that another process owns now. */
  public Set<TopicPartition> all() {
    return Set.copyOf(halts.keySet());
  }

  /** The halted ones of some partitions. */
  Set<TopicPartition> among(Collection<TopicPartition> partitions) {
    Set<TopicPartition> halted = new HashSet<>(partitions);
    halted.retainAll(halts.keySet());
    return halted;
  }
}
