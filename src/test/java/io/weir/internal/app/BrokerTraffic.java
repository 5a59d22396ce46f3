package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.window.WindowSpec;
import io.weir.lab.AuditTally;
import io.weir.lab.Auditor;
import io.weir.lab.oracle.NaiveRules;
import io.weir.lab.oracle.NaiveWeir;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.oracle.RandomBatches;
import io.weir.oracle.SummaryAssert;
import io.weir.reading.Quality;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Seeded traffic with all its faults to every partition of a real broker, and its expected results:
 * each partition has an oracle of its own, which gets the records in the order of offsets, with the
 * broker's append times.
 */
final class BrokerTraffic implements AutoCloseable {
  private static final long SKEW_MS = Duration.ofMinutes(5).toMillis();
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(90);

  private final String bootstrapServers;
  private final KafkaProducer<byte[], byte[]> producer;
  private final NaiveWindows windows;
  private final List<RandomBatches> batches = new ArrayList<>();
  private final List<NaiveWeir> oracles = new ArrayList<>();
  private final Map<String, Integer> late = new HashMap<>();
  private final Map<String, Integer> rejected = new HashMap<>();

  BrokerTraffic(String bootstrapServers, WindowSpec spec, long seed) {
    this.bootstrapServers = bootstrapServers;
    this.windows = new NaiveWindows(spec.sizeMs());
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    Random random = new Random(seed);
    for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
      batches.add(new RandomBatches(new Random(random.nextLong()), partition));
      oracles.add(new NaiveWeir(spec, NaiveRules.of(SKEW_MS), partition));
    }
  }

  /** Sends a round: so many batches to each partition. */
  void send(int batchesEach) throws InterruptedException {
    for (int i = 0; i < batchesEach; i++) {
      long nowMs = System.currentTimeMillis();
      List<ReadingBatch> round = new ArrayList<>();
      List<Future<RecordMetadata>> acknowledged = new ArrayList<>();
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        ReadingBatch batch = batches.get(partition).next(nowMs);
        round.add(batch);
        acknowledged.add(send(partition, batch.toByteArray()));
      }
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        tell(partition, round.get(partition), get(acknowledged.get(partition)).timestamp());
      }
    }
  }

  private Future<RecordMetadata> send(int partition, byte[] value) {
    return producer.send(
        new ProducerRecord<>(TopicNames.DEFAULT.readings(), partition, new byte[] {7}, value));
  }

  /** Sends a record that is no batch. */
  void sendPoison(int partition, byte[] value) throws InterruptedException {
    get(send(partition, value));
    rejected.merge("UNDECODABLE", 1, Integer::sum);
  }

  private static RecordMetadata get(Future<RecordMetadata> acknowledged)
      throws InterruptedException {
    try {
      return acknowledged.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private void tell(int partition, ReadingBatch batch, long appendMs) {
    List<Reading> rows = NaiveWeir.rows(batch);
    NaiveWeir.Fate fate = oracles.get(partition).take(batch, appendMs);
    if (fate.refused() != null) {
      rows.forEach(row -> count(rejected, fate.refused() + " " + NaiveWeir.plain(row)));
    }
    List<Reading> taken = new ArrayList<>();
    for (NaiveWeir.ReadingFate reading : fate.readings()) {
      Reading row = reading.reading();
      if (reading.rejected() != null) {
        count(rejected, reading.rejected() + " " + NaiveWeir.plain(row));
      } else if (reading.late()) {
        count(late, NaiveWeir.plain(row));
      } else {
        taken.add(row);
        windows.add(
            row.getSensorId(),
            row.getTimestampMs(),
            row.getValue(),
            Quality.ofNumber(row.getQualityValue()));
      }
    }
    oracles.get(partition).endBatch(taken);
  }

  private static void count(Map<String, Integer> counts, String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** Whether as many readings as must come of it are on the topics. */
  private boolean isFoundIn(AuditTally tally) {
    return tally.inWindows() == windows.readings()
        && tally.late() == total(late)
        && tally.rejected() + tally.poisonRecords() == total(rejected);
  }

  private static long total(Map<String, Integer> counts) {
    return counts.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Waits until as many readings are found as the oracle expects; fails with the difference. */
  void awaitFound() throws IOException {
    try (Auditor auditor =
        Auditor.start(
            Map.of("bootstrap.servers", bootstrapServers), TopicNames.DEFAULT, window -> {})) {
      AuditTally last = auditor.tally();
      long movedAt = System.nanoTime();
      while (!isFoundIn(last)) {
        Await.pause();
        AuditTally tally = auditor.tally();
        if (!tally.equals(last)) {
          last = tally;
          movedAt = System.nanoTime();
        }
        if (System.nanoTime() - movedAt > STALL_NANOS) {
          check();
          throw new AssertionError("nothing moves, and yet all is there: " + last);
        }
      }
    }
  }

  /** Holds all that is committed on the topics against the oracles. */
  void check() throws IOException {
    Map<NaiveWindows.Key, WindowSummary> summaries = new HashMap<>();
    Map<String, Integer> lateFound = new HashMap<>();
    Map<String, Integer> rejectedFound = new HashMap<>();
    List<String> written = TopicNames.DEFAULT.all().subList(1, 4);
    for (ConsumerRecord<byte[], byte[]> record : Committed.of(bootstrapServers, written)) {
      if (record.topic().equals(TopicNames.DEFAULT.windows())) {
        WindowSummary window = WindowSummary.parseFrom(record.value());
        NaiveWindows.Key key =
            new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs());
        WindowSummary before = summaries.put(key, window);
        assertThat(window.getRevision()).isEqualTo(before == null ? 0 : before.getRevision() + 1);
        assertThat(record.partition()).isEqualTo(SensorPartition.of(window.getSensorId()));
      } else if (record.topic().equals(TopicNames.DEFAULT.late())) {
        NaiveWeir.rows(ReadingBatch.parseFrom(record.value()))
            .forEach(row -> count(lateFound, NaiveWeir.plain(row)));
      } else {
        countRejected(record, rejectedFound);
      }
    }
    assertThat(lateFound).isEqualTo(late);
    assertThat(rejectedFound).isEqualTo(rejected);
    SummaryAssert.assertEqual(summaries, windows);
  }

  private static void countRejected(
      ConsumerRecord<byte[], byte[]> record, Map<String, Integer> found) throws IOException {
    Header header = record.headers().lastHeader(DeadLetterHeaders.REASON);
    RejectReason reason = RejectReason.valueOf(new String(header.value()));
    if (reason == RejectReason.UNDECODABLE) {
      count(found, reason.name());
    } else {
      NaiveWeir.rows(ReadingBatch.parseFrom(record.value()))
          .forEach(row -> count(found, reason + " " + NaiveWeir.plain(row)));
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
