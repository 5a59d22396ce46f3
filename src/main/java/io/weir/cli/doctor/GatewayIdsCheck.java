package io.weir.cli.doctor;

import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import io.weir.v1.ReadingBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds two processes that publish under one gateway id: in the newest batches of a partition their
 * boot ids alternate. A single gateway never returns to an older boot id. Reads a bounded number of
 * batches.
 */
final class GatewayIdsCheck implements Check {
  private static final long READ_OF_A_PARTITION = 500;
  private static final long MOST_BYTES = 64 << 20;
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** A batch that was in flight during a restart of its process arrives late, once. */
  private static final int TIMES_BACK = 3;

  @Override
  public String name() {
    return "gateway-ids";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Turns turns = new Turns();
    try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader().get()) {
      read(cluster, consumer, turns);
    }
    List<String> shared =
        turns.timesBack.entrySet().stream()
            .filter(each -> each.getValue() >= TIMES_BACK)
            .map(Map.Entry::getKey)
            .toList();
    return shared.isEmpty()
        ? List.of()
        : List.of(
            risk(
                "two processes publish in turns under one gateway id: "
                    + Offsets.list(shared, id -> id),
                "Weir accepts only the four newest boot ids of a gateway: after more restarts the batches"
                    + " of one process are refused (FENCED)",
                "set a different weir.gateway.id for each process, or stop one of them"
                    + " (docs/gateways.md, boot_id and sequence)"));
  }

  private static void read(
      Examination cluster, KafkaConsumer<byte[], byte[]> consumer, Turns turns) {
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (TopicPartition partition : cluster.after().of(cluster.readings())) {
      long end = cluster.after().stable().get(partition);
      if (end > cluster.after().first().get(partition)) {
        ends.put(partition, end);
      }
    }
    consumer.assign(ends.keySet());
    ends.forEach(
        (partition, end) ->
            consumer.seek(
                partition,
                Math.max(cluster.after().first().get(partition), end - READ_OF_A_PARTITION)));
    long bytes = 0;
    long endNanos = System.nanoTime() + LONGEST.toNanos();
    while (bytes < MOST_BYTES
        && System.nanoTime() < endNanos
        && !ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue())) {
      for (ConsumerRecord<byte[], byte[]> batch : consumer.poll(Duration.ofMillis(200))) {
        bytes += Math.max(0, batch.serializedValueSize());
        turns.add(batch);
      }
    }
  }

  /** Counts how often each gateway returned to an older boot id, over all partitions. */
  private static final class Turns {
    private final Map<String, Integer> timesBack = new TreeMap<>();
    private final Map<String, Long> lastBoots = new HashMap<>();

    void add(ConsumerRecord<byte[], byte[]> batch) {
      byte[] value = batch.value();
      if (value == null) {
        return;
      }
      try {
        ReadingBatch read = Protobuf.framed(ReadingBatch.getDefaultInstance(), value);
        if (read.getBootId() != 0 && !read.getGatewayId().isEmpty()) {
          Long last =
              lastBoots.put(batch.partition() + " " + read.getGatewayId(), read.getBootId());
          if (last != null && Long.compareUnsigned(read.getBootId(), last) < 0) {
            timesBack.merge(read.getGatewayId(), 1, Integer::sum);
          }
        }
      } catch (UndecodableException e) {
        return; // The check of dead letters reports it.
      }
    }
  }
}
