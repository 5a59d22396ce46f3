package io.weir.internal.redrive;

import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.RunningLife;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

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

  /** Whether the life that runs in its partition wrote a record, or goes on with its writer. */
  boolean wrote(RedriveRecord record) {
    return record
        .life()
        .flatMap(
            life ->
                of(record.partition())
                    .filter(running -> running.judgedAs(life, record.originOffset())))
        .isPresent();
  }

  /**
   * Requires that the application has begun no other life: that one reads again what this redrive
   * takes for refused or late.
   */
  void requireUnchanged() {
    Map<Integer, RunningLife> later = running.isEmpty() ? running : now.get();
    running.forEach(
        (partition, life) -> {
          RunningLife other = later.get(partition);
          if (other == null || !life.life().equals(other.life())) {
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
   * Requires that no other state wrote the newest window of a partition behind one of a life that
   * should run: then another application runs. Where one wrote the newest, all are read.
   */
  void requireNewest(Consumer<byte[], byte[]> reader, String windows) {
    if (sure) {
      return;
    }
    List<TopicPartition> all =
        running.keySet().stream().map(number -> new TopicPartition(windows, number)).toList();
    TopicScan.newest(reader, all)
        .forEach(
            (partition, record) -> {
              Life life = running.get(partition.partition()).life();
              if (Life.of(record.headers()).filter(one -> !one.equals(life)).isPresent()) {
                requireNoneOf(life, reader, partition);
              }
            });
  }

  private void requireNoneOf(Life life, Consumer<byte[], byte[]> reader, TopicPartition partition) {
    TopicScan pass = new TopicScan(reader, List.of(partition), 0);
    while (!pass.isDone()) {
      for (ConsumerRecord<byte[], byte[]> record : pass.next()) {
        if (Life.of(record.headers()).filter(life::equals).isPresent()) {
          throw new KafkaException(
              "application "
                  + applicationId
                  + " did not write the newest window of "
                  + partition
                  + ": set weir.application.id to the application that runs, or use --yes");
        }
      }
    }
  }
}
