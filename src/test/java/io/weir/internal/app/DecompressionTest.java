package io.weir.internal.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.lab.RawBatch;
import io.weir.reading.Reading;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicNames;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records that are small on the wire and larger than the heap when decompressed, compared with
 * {@code weir run} in a process of its own that ends at the first OutOfMemoryError, as the image's
 * does.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DecompressionTest {
  private static final String TOPIC = TopicNames.DEFAULT.readings();

  @TempDir private Path dir;

  @Test
  void fiveHundredMegabytesOfZeros_areADeadLetter_andTheNeighboursGoOn() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      int partition = SensorPartition.of("neighbour");
      long first =
          RawBatch.send(
              rig.bootstrapServers(),
              TOPIC,
              partition,
              RawBatch.ofZeros(Compression.zstd().build(), 1, 500_000_000));
      for (Compression codec : List.of(Compression.gzip().build(), Compression.lz4().build())) {
        RawBatch.send(
            rig.bootstrapServers(), TOPIC, partition, RawBatch.ofZeros(codec, 2, 40_000_000));
      }
      try (WeirProcess weir = start(rig)) {
        weir.awaitReady();
        publish(rig, "neighbour");
        weir.await("through", () -> aggregated(weir) == 10);
        assertThat(weir.metric("weir_threads_died_total")).isZero();
        assertThat(weir.terminate()).isZero();
      }
      List<ConsumerRecord<byte[], byte[]>> deadLetters =
          Committed.of(rig.bootstrapServers(), List.of(TopicNames.DEFAULT.deadLetters()));
      assertThat(deadLetters)
          .extracting(deadLetter -> header(deadLetter, DeadLetterHeaders.OFFSET))
          .containsExactly(Long.toString(first), "2", "4");
      assertThat(header(deadLetters.get(0), DeadLetterHeaders.REASON))
          .isEqualTo(RejectReason.UNDECODABLE.name());
      assertThat(header(deadLetters.get(1), DeadLetterHeaders.MESSAGE))
          .isEqualTo(
              "the records at offsets 1 to 2 are larger than weir.max.decompressed.bytes or four"
                  + " times weir.max.record.bytes when decompressed, or cannot be decompressed");
    }
  }

  /** Each record is within the limits, and 256 of them are not within the heap. */
  @Test
  void hundredsOfRecordsOfAMegabyte_areReadAFewAtATime() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      int partition = SensorPartition.of("neighbour");
      for (int batch = 0; batch < 120; batch++) {
        RawBatch.send(
            rig.bootstrapServers(),
            TOPIC,
            (partition + batch % 8) % SensorPartition.COUNT,
            RawBatch.ofZeros(Compression.zstd().build(), 3, 1_048_000));
      }
      try (WeirProcess weir = start(rig)) {
        weir.awaitReady();
        publish(rig, "neighbour");
        weir.await("through", () -> aggregated(weir) == 10);
        weir.await("all refused", () -> weir.metric("weir_records_undecodable_total") == 360);
        assertThat(weir.metric("weir_threads_died_total")).isZero();
        assertThat(weir.log()).doesNotContain("Deserializers with error");
      }
    }
  }

  /** No deserializer sees them. Beyond the eighth of a batch they are one dead letter. */
  @Test
  void recordsWithoutKeyAndValue_areReadAFewAtATime_andMerged() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      int partition = SensorPartition.of("neighbour");
      Header[] megabyte = {new RecordHeader("h", new byte[1_000_000])};
      for (int batch = 0; batch < 120; batch++) {
        RawBatch.send(
            rig.bootstrapServers(),
            TOPIC,
            (partition + batch % 8) % SensorPartition.COUNT,
            empty(3, megabyte));
      }
      RawBatch.send(rig.bootstrapServers(), TOPIC, partition, empty(200_000, new Header[0]));
      try (WeirProcess weir = start(rig)) {
        weir.awaitReady();
        publish(rig, "neighbour");
        weir.await("through", () -> aggregated(weir) == 10);
        weir.await("all refused", () -> weir.metric("weir_records_undecodable_total") == 369);
        assertThat(weir.metric("weir_threads_died_total")).isZero();
      }
    }
  }

  private static MemoryRecords empty(int count, Header[] headers) {
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20), Compression.zstd().build(), TimestampType.CREATE_TIME, 0);
    for (int record = 0; record < count; record++) {
      builder.append(1, (byte[]) null, (byte[]) null, headers);
    }
    return builder.build();
  }

  /** Its marker is at its last offset: the offsets before it are no records that were missed. */
  @Test
  void anOversizedBatch_asTheFirstThatATaskReads_isADeadLetter_andNoLossOfState() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      int partition = SensorPartition.of("neighbour");
      sendOversized(rig, partition);
      try (StreamsApplication weir = rig.start()) {
        awaitUndecodable(rig, weir, 1);
      }
      sendOversized(rig, partition);
      try (StreamsApplication weir = rig.start()) {
        awaitUndecodable(rig, weir, 2);
      }
    }
  }

  private static void sendOversized(AppRig rig, int partition) throws Exception {
    RawBatch.send(
        rig.bootstrapServers(),
        TOPIC,
        partition,
        RawBatch.ofZeros(Compression.gzip().build(), 2, 40_000_000));
  }

  private static void awaitUndecodable(AppRig rig, StreamsApplication weir, int deadLetters) {
    while (deadLetters(rig) < deadLetters && !weir.ended().isDone()) {
      Await.longPause();
    }
    assertThat(weir.ended()).isNotDone();
  }

  private static int deadLetters(AppRig rig) {
    return Committed.of(rig.bootstrapServers(), List.of(TopicNames.DEFAULT.deadLetters())).size();
  }

  /** With what docs/operate/size.md calculates for two threads, 204 MiB, and some more. */
  private WeirProcess start(AppRig rig) throws Exception {
    return WeirProcess.start(
        dir.resolve("weir.log"),
        Map.of(
            "WEIR_BOOTSTRAP_SERVERS",
            rig.bootstrapServers(),
            "WEIR_STATE_DIR",
            dir + "/state",
            "WEIR_THREADS",
            "2"),
        List.of("-XX:+ExitOnOutOfMemoryError", "io.weir.cli.Weir", "run"));
  }

  private static void publish(AppRig rig, String sensor) {
    try (ReadingPublisher publisher =
        ReadingPublisher.start(
            PublisherSettings.builder("honest").bootstrapServers(rig.bootstrapServers()).build())) {
      for (int i = 0; i < 10; i++) {
        publisher.offer(new Reading(sensor, 1_700_000_000_000L + i, 1.0));
      }
    }
  }

  private static double aggregated(WeirProcess weir) {
    return weir.metric("weir_readings_total\\{outcome=\"aggregated\".*\\}");
  }

  private static String header(ConsumerRecord<byte[], byte[]> deadLetter, String name) {
    return new String(deadLetter.headers().lastHeader(name).value(), UTF_8);
  }
}
