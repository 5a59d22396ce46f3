package io.weir.internal.redrive;

import io.weir.internal.deadletter.RunningLife;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * The lives of an application, whose records a redrive sends.
 *
 * @param running which one runs, by partition of the readings
 * @param sure whether they run although others wrote later records
 * @param now asks which one runs by now
 */
public record Lives(
    String applicationId,
    Map<Integer, RunningLife> running,
    boolean sure,
    Supplier<Map<Integer, RunningLife>> now) {
  static final Lives NONE = new Lives("", Map.of(), false);

  /** Lives that do not change. */
  public Lives(String applicationId, Map<Integer, RunningLife> running, boolean sure) {
    this(applicationId, running, sure, () -> running);
  }

  public Lives {
    running = Map.copyOf(running);
  }

  Optional<RunningLife> of(int partition) {
    return Optional.ofNullable(running.get(partition));
  }

  /** Whether the life that runs in its partition wrote a record. */
  boolean wrote(RedriveRecord record) {
    return of(record.partition()).map(RunningLife::life).equals(record.life())
        && record.life().isPresent();
  }

  /**
   * Requires that the application has begun no other life: that one reads again what this redrive
   * takes for refused or late.
   */
  void requireUnchanged() {
    Map<Integer, RunningLife> later = running.isEmpty() ? running : now.get();
    running.forEach(
        (partition, life) -> {
          if (!life.equals(later.get(partition))) {
            throw new KafkaException(
                "application "
                    + applicationId
                    + " was reset, or has lost the state of partition "
                    + partition
                    + ", while this redrive ran: run it again; the last transaction was not sent");
          }
        });
  }

  /**
   * Requires that no other state wrote a record behind one of a life that should run.
   *
   * @param wrote partitions in which it wrote a record before
   */
  void requireNewest(RedriveRecord record, Set<Integer> wrote) {
    if (!sure && record.life().isPresent() && wrote.contains(record.partition())) {
      throw new KafkaException(
          "another state than that of application "
              + applicationId
              + " has written later records, such as "
              + record.place()
              + ": set weir.application.id to the application that runs; --yes goes on");
    }
  }
}
