package io.weir.cli.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.edge.PublisherSettings;
import io.weir.internal.app.StartRefusedException;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextFormat;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Limits;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFeedTest {
  private static final int CHUNK = 4_000;

  private static EmbeddedKafka kafka;
  private static int topics;

  private TopicNames names;
  private Path ledger;
  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @BeforeEach
  void freshTopics() {
    String prefix = "t" + ++topics;
    names =
        new TopicNames(
            prefix + ".readings", prefix + ".windows", prefix + ".late", prefix + ".dead");
    ledger = directory.resolve("plant.ledger");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, names).createMissing();
    }
  }

  @Test
  void fileThatIsSentTwice_isOnTheTopicOnce_andWhatIsAppendedFollows() throws Exception {
    Path file = file("a.csv", 0, 10_000);

    assertThat(send(file)).isEqualTo("10000 acknowledged, 0 before, whole");
    assertThat(send(file)).isEqualTo("0 acknowledged, 10000 before, whole");
    Files.writeString(file, lines(10_000, 10_500), StandardOpenOption.APPEND);
    assertThat(send(file)).isEqualTo("500 acknowledged, 10000 before, whole");

    assertThat(values(records())).containsExactlyElementsOf(numbers(10_500));
    assertThat(records().stream().map(LedgerFeedTest::batchName)).doesNotHaveDuplicates();
  }

  @Test
  void runThatIsKilledAfterItSentAChunk_sendsTheSameBatchesAgain() throws Exception {
    Path file = file("a.csv", 0, 10_000);
    Path atTheKill = directory.resolve("copy");
    sendWatched(file, () -> isUnderWay(2 * CHUNK, atTheKill));
    int sent = records().size();
    Files.move(atTheKill, ledger, StandardCopyOption.REPLACE_EXISTING);

    assertThat(send(file)).isEqualTo("6000 acknowledged, 4000 before, whole");

    List<ConsumerRecord<byte[], byte[]>> records = records();
    assertThat(records.size()).isGreaterThan(sent);
    Map<String, byte[]> distinct = new HashMap<>();
    List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>();
    int again = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      byte[] before = distinct.putIfAbsent(batchName(record), record.value());
      if (before == null) {
        first.add(record);
      } else {
        again++;
        assertThat(record.value()).isEqualTo(before);
      }
    }
    assertThat(values(first)).containsExactlyElementsOf(numbers(10_000));
    assertThat(again).isPositive();
  }

  @Test
  void fileThatChangedInWhatWasSent_isRefused_andNothingIsSent() throws Exception {
    Path file = file("a.csv", 0, 1_000);
    send(file);
    int sent = records().size();
    Files.writeString(file, Files.readString(file).replace("s1,2,1\n", "s1,2,7\n"));

    assertThatThrownBy(() -> send(file))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("its first 1,000 readings differ from those that were sent");
    file("a.csv", 0, 500);
    assertThatThrownBy(() -> send(file)).isInstanceOf(StartRefusedException.class);
    assertThat(records()).hasSize(sent);
  }

  @Test
  void otherFile_waitsForTheOneThatBrokeOff() throws Exception {
    Path file = file("a.csv", 0, 1_000);
    Path other = file("b.csv", 1_000, 2_000);
    Path atTheKill = directory.resolve("copy");
    sendWatched(file, () -> isUnderWay(1_000, atTheKill));
    Files.move(atTheKill, ledger, StandardCopyOption.REPLACE_EXISTING);

    assertThatThrownBy(() -> send(other))
        .hasMessage("a run was interrupted while it sent " + file + "; send that file first");
    assertThat(send(file)).isEqualTo("1000 acknowledged, 0 before, whole");
    assertThat(send(other)).isEqualTo("1000 acknowledged, 0 before, whole");
  }

  @Test
  void ledger_isOfOneGateway_andOneProcessAtATime() throws Exception {
    send(file("a.csv", 0, 10));

    try (LedgerFeed feed = open(Optional.of("line-7"), () -> false)) {
      assertThatThrownBy(() -> open(Optional.empty(), () -> false))
          .hasMessageContaining("another process uses this ledger");
      assertThat(feed.gatewayId()).isEqualTo("line-7");
    }
    assertThatThrownBy(() -> open(Optional.of("line-8"), () -> false))
        .hasMessageContaining("belongs to gateway 'line-7', not 'line-8'");
  }

  @Test
  void fileThatIsNoLedger_isRefused_andStays() throws Exception {
    Files.writeString(ledger, "sensor_id,timestamp_ms,value\n");

    assertThatThrownBy(() -> open(Optional.empty(), () -> false))
        .hasMessageContaining("this file is not a ledger of weir edge");
    assertThat(ledger).hasContent("sensor_id,timestamp_ms,value\n");
  }

  /** Whether so many are being sent; keeps the ledger of that moment, as a kill would leave it. */
  private boolean isUnderWay(long readings, Path copy) {
    try {
      if (!Files.exists(copy)
          && Files.exists(ledger)
          && Files.readString(ledger).contains("under-way.file.readings=" + readings)) {
        Files.copy(ledger, copy);
      }
      return Files.exists(copy);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String send(Path file) throws IOException {
    return sendWatched(file, () -> false);
  }

  private String sendWatched(Path file, BooleanSupplier stopped) throws IOException {
    try (LedgerFeed feed = open(Optional.of("line-7"), stopped);
        ReadingTextReader reader =
            ReadingTextReader.open(
                List.of(file.toString()),
                Pipes.of(InputStream.nullInputStream()),
                TextFormat.CSV,
                Limits.DEFAULT)) {
      boolean whole = feed.send(file.toString(), reader, Optional.empty());
      return "%d acknowledged, %d before, %s"
          .formatted(feed.acknowledged(), feed.sentBefore(), whole ? "whole" : "not whole");
    }
  }

  private LedgerFeed open(Optional<String> gatewayId, BooleanSupplier stopped) throws IOException {
    return LedgerFeed.open(
        ledger,
        gatewayId,
        "new",
        id ->
            PublisherSettings.builder(id)
                .bootstrapServers(kafka.bootstrapServers())
                .topic(names.readings()),
        stopped,
        CHUNK);
  }

  private Path file(String name, int from, int to) throws IOException {
    return Files.writeString(
        directory.resolve(name), "sensor_id,timestamp_ms,value\n" + lines(from, to));
  }

  /** Each reading has a value of its own. */
  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      lines.append("s").append(i % 3).append(',').append(1 + i).append(',').append(i).append('\n');
    }
    return lines.toString();
  }

  private static List<Double> numbers(int count) {
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add((double) i);
    }
    return numbers;
  }

  private static String batchName(ConsumerRecord<byte[], byte[]> record) {
    ReadingBatch batch = batch(record);
    return record.partition() + "/" + batch.getBootId() + "/" + batch.getSequence();
  }

  private static List<Double> values(List<ConsumerRecord<byte[], byte[]>> records) {
    List<Double> values = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      ReadingBatch batch = batch(record);
      batch.getReadingsList().stream().map(Reading::getValue).forEach(values::add);
      batch.getSeriesList().forEach(series -> values.addAll(series.getValueList()));
    }
    assertThat(new TreeSet<>(values)).as("each once").hasSize(values.size());
    values.sort(null);
    return values;
  }

  private static ReadingBatch batch(ConsumerRecord<byte[], byte[]> record) {
    try {
      return ReadingBatch.parseFrom(record.value());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** All that is on the topic, in the order of each partition. */
  private List<ConsumerRecord<byte[], byte[]>> records() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (int partition = 0; partition < 64; partition++) {
        partitions.add(new TopicPartition(names.readings(), partition));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }
}
