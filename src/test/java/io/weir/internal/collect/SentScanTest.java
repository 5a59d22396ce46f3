package io.weir.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.internal.app.WeirConfig;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.topic.SensorPartition;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rebase accepts of what is on the topics: others write there, too. */
class SentScanTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long BOOT = Lease.bootId(NOW_MS);
  private static final byte[] SECRET = new byte[32];
  private static final MasterKey MASTER =
      new MasterKey("m", SECRET, Long.MIN_VALUE, Long.MAX_VALUE);

  @TempDir Path dir;

  @Test
  void ownBatches_areGathered() throws Exception {
    SentScan scan = scan(config(), batch("db", BOOT, 2), none());

    assertThat(scan.laterRows()).isEqualTo(1);
    assertThat(scan.highestBoot()).isEqualTo(BOOT);
  }

  @Test
  void batchOfAnotherGateway_underThisOnesRecordKey_isNotAccepted() throws Exception {
    SentScan scan = scan(config(), batch("thief", BOOT + 1, 2), none());

    assertThat(scan.laterRows()).isZero();
    assertThat(scan.highestBoot()).isEqualTo(BOOT);
  }

  @Test
  void bootOfTheFuture_whichWeirRefuses_isNotAccepted() throws Exception {
    SentScan scan = scan(config(), batch("db", Lease.bootId(NOW_MS + 86_400_000), 2), none());

    assertThat(scan.laterRows()).isZero();
    assertThat(scan.highestBoot()).isEqualTo(BOOT);
  }

  @Test
  void seriesWhoseLengthsDisagree_isNotAccepted() throws Exception {
    ReadingBatch torn =
        batch("db", BOOT, 2).toBuilder()
            .setSeries(0, Series.newBuilder().setSensorId("s").addValue(1).addValue(2))
            .build();

    assertThat(scan(config(), torn, none()).laterRows()).isZero();
  }

  @Test
  void signedByAnother_isNotAccepted_whereMastersTell() throws Exception {
    Map<String, String> masters = Map.of("signing.keys.file", mastersFile().toString());

    assertThat(scan(config(masters), batch("db", BOOT, 2), none()).laterRows()).isZero();
    assertThat(scan(config(masters), batch("db", BOOT, 2), key("thief")).laterRows()).isZero();
    assertThat(scan(config(masters), batch("db", BOOT, 2), key("db")).laterRows()).isEqualTo(1);
  }

  @Test
  void signedByAnother_isRefused_whereOnlyTheOwnKeyIsThere() throws Exception {
    Map<String, String> own = Map.of("signing.key.file", keyFile().toString());

    assertThat(scan(config(own), batch("db", BOOT, 2), key("db")).laterRows()).isEqualTo(1);
    assertThat(scan(config(own), batch("db", BOOT, 1), key("thief")).laterRows()).isZero();
    assertThatThrownBy(() -> scan(config(own), batch("db", BOOT, 2), key("thief")))
        .isInstanceOf(CollectRefusedException.class)
        .hasMessageContaining("weir.signing.keys.file");
  }

  private static ReadingBatch batch(String gateway, long boot, long sequence) {
    return ReadingBatch.newBuilder()
        .setGatewayId(gateway)
        .setBootId(boot)
        .setSequence(sequence)
        .addSeries(
            Series.newBuilder()
                .setSensorId("s")
                .setStartTimestampMs(1)
                .addTimestampDeltaMs(0)
                .addValue(1))
        .build();
  }

  private static Optional<GatewayKey> none() {
    return Optional.empty();
  }

  private static Optional<GatewayKey> key(String gateway) {
    return Optional.of(MASTER.gatewayKey(gateway, 1));
  }

  private Path mastersFile() throws IOException {
    return Files.writeString(
        dir.resolve("masters"), "m.secret=" + Base64.getEncoder().encodeToString(SECRET));
  }

  private Path keyFile() throws IOException {
    return Files.write(dir.resolve("key"), MASTER.gatewayKey("db", 1).fileLines());
  }

  private static WeirConfig config() {
    return config(Map.of());
  }

  private static WeirConfig config(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", "localhost:1");
    settings.put("gateway.id", "db");
    return WeirConfig.of(new Properties(), Map.of(), settings);
  }

  /** Reads a topic with one record, after a state in which sequence 1 was sent. */
  private static SentScan scan(WeirConfig config, ReadingBatch batch, Optional<GatewayKey> key)
      throws Exception {
    String topic = config.nameOf(Topic.READINGS);
    int partition = SensorPartition.of("s");
    byte[] value = batch.toByteArray();
    RecordHeaders headers = new RecordHeaders();
    key.ifPresent(of -> BatchSigner.of(topic, of).sign(partition, value, headers));
    try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest")) {
      Map<TopicPartition, Long> begins = new HashMap<>();
      Map<TopicPartition, Long> ends = new HashMap<>();
      for (int i = 0; i < SensorPartition.COUNT; i++) {
        begins.put(new TopicPartition(topic, i), 0L);
        ends.put(new TopicPartition(topic, i), i == partition ? 1L : 0L);
      }
      consumer.updateBeginningOffsets(begins);
      consumer.updateEndOffsets(ends);
      consumer.schedulePollTask(
          () ->
              consumer.addRecord(
                  new ConsumerRecord<>(
                      topic,
                      partition,
                      0,
                      NOW_MS,
                      TimestampType.LOG_APPEND_TIME,
                      2,
                      value.length,
                      "db".getBytes(StandardCharsets.UTF_8),
                      value,
                      headers,
                      Optional.empty())));
      Sequences.Counter sequences = new Sequences.Counter(Sequences.NONE);
      sequences.next(Channel.READINGS, partition);
      State begin = State.begin(BOOT);
      State state = new State(BOOT, begin.cursors(), sequences.now(), List.of());
      SentScan scan = new SentScan(config, "db", state);
      scan.read(consumer, Channel.READINGS, () -> {});
      return scan;
    }
  }
}
