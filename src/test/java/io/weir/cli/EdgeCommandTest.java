package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.EdgeCommand.ConnectNote;
import io.weir.internal.app.WeirConfig;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir edge} as a process: how it ends when it is stopped, or its input is not whole. */
class EdgeCommandTest {
  private static final int PIPE_BYTES = 1 << 16;
  private static final int LINES_BEFORE_STOP = 200_000;
  private static final Pattern ACKNOWLEDGED = Pattern.compile("([\\d,]+) readings acknowledged");
  private static final Pattern NOT_DELIVERED =
      Pattern.compile("([\\d,]+) more lines and ([\\d,]+) more bytes were read and not delivered");

  private static EmbeddedKafka kafka;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    }
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void sigterm_underLoad_deliversWhatWasRead_orSaysHowManyLinesItDidNot() throws Exception {
    Process edge = edge("-", "--gateway-id", "stopped", "--format", "csv");
    Writer writer = new Writer(edge.getOutputStream());
    CompletableFuture<Void> writing = CompletableFuture.runAsync(writer::writeUntilClosed);
    writer.underLoad.await();
    edge.toHandle().destroy();

    WeirProcess.Ended ended = WeirProcess.ended(edge);
    writing.get();
    long acknowledged = number(ACKNOWLEDGED, ended.err(), 1);
    long lines = number(NOT_DELIVERED, ended.err(), 1);
    long bytes = number(NOT_DELIVERED, ended.err(), 2);

    assertThat(timestamps("stopped")).containsExactlyElementsOf(upTo(acknowledged));
    assertThat(writer.bytesOfLines(acknowledged + lines) + bytes)
        .as("reported bytes, at least what left the pipe; output: %s", ended.err())
        .isGreaterThanOrEqualTo(writer.written - PIPE_BYTES);
    assertThat(ended.status()).isEqualTo(lines + bytes == 0 ? 0 : 1);
  }

  @Test
  void truncatedGzip_isAFailure_thatSaysWhatWasDelivered() throws Exception {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(whole)) {
      out.write("sensor_id,timestamp_ms,value\n".getBytes(StandardCharsets.UTF_8));
      for (int i = 1; i <= 100_000; i++) {
        out.write("a,%d,%d\n".formatted(i, i * 7919 % 1009).getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = dir.resolve("cut.csv.gz");
    Files.write(file, Arrays.copyOf(whole.toByteArray(), whole.size() / 2));

    WeirProcess.Ended ended = WeirProcess.ended(edge(file.toString(), "--gateway-id", "truncated"));

    long acknowledged = number(ACKNOWLEDGED, ended.err(), 1);
    assertThat(acknowledged).as(ended.err()).isPositive();
    assertThat(timestamps("truncated")).containsExactlyElementsOf(upTo(acknowledged));
    assertThat(ended.err().lines().toList())
        .last()
        .asString()
        .contains("cannot be read beyond line " + (acknowledged + 1), "break off");
    assertThat(ended.status()).isEqualTo(1);
  }

  @Test
  void closedStandardInput_isAnErrorInALine() throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", "exec \"$@\" <&-", "bash"));
    command.addAll(
        WeirProcess.command(
            "edge", "--gateway-id", "closed", "--bootstrap-servers", kafka.bootstrapServers()));
    WeirProcess.Ended ended = WeirProcess.ended(new ProcessBuilder(command).start());

    assertThat(ended.err()).contains("standard input is closed");
    assertThat(number(ACKNOWLEDGED, ended.err(), 1)).isZero();
    assertThat(ended.status()).isEqualTo(1);
    assertThat(timestamps("closed")).isEmpty();
  }

  @Test
  void refusalsByWeir_areReportedWithTheirRemedy_thoughAllIsAcknowledged() throws Exception {
    Process edge = edge("-", "--gateway-id", "shared", "--format", "csv");
    OutputStream input = edge.getOutputStream();
    input.write("sensor_id,timestamp_ms,value\nsensor,1,1\n".getBytes(StandardCharsets.UTF_8));
    input.flush();
    BufferedReader said = edge.errorReader();
    try (KafkaProducer<byte[], byte[]> weir =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      weir.send(deadLetter("another", "MISROUTED")).get();
      weir.send(deadLetter("shared", "FENCED")).get();
    }
    String first = said.readLine();
    assertThat(first.contains("waiting for an answer") ? said.readLine() : first)
        .startsWith("weir edge: Weir refuses readings of this gateway id: FENCED")
        .contains("use a different --gateway-id");
    input.close();

    assertThat(said.lines().toList())
        .containsExactly(
            "1 readings acknowledged, 0 not, 0 bad lines",
            "weir edge: dead letters of this gateway id: 1 FENCED");
    assertThat(edge.waitFor()).isZero();
  }

  @Test
  void lateReadingsOfThisRun_areCounted_andExplained() throws Exception {
    try (KafkaProducer<byte[], byte[]> weir =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      weir.send(late("7", 3)).get();
      weir.send(late("8", 40)).get();
      ProducerRecord<byte[], byte[]> withheld = late("7", 50);
      withheld.headers().add("weir.reason", "WITHHELD".getBytes(StandardCharsets.UTF_8));
      weir.send(withheld).get();
      weir.send(late("7", 2)).get();
    }
    Map<String, String> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), settings);

    LateLook look = new LateLook(config, 7, System.currentTimeMillis());
    assertThat(look.count(5, Duration.ofMinutes(5), () -> false)).isEqualTo(5);
    assertThat(LateLook.note(5, 1_010))
        .hasValueSatisfying(
            note ->
                assertThat(note).startsWith("5 of 1,010 readings are late").contains("--ledger"));
    assertThat(LateLook.note(0, 1_010)).isEmpty();
  }

  private static ProducerRecord<byte[], byte[]> late(String bootId, int readings) {
    Series.Builder series = Series.newBuilder().setSensorId("a");
    IntStream.range(0, readings).forEach(i -> series.addTimestampDeltaMs(1).addValue(i));
    byte[] batch = ReadingBatch.newBuilder().addSeries(series).build().toByteArray();
    ProducerRecord<byte[], byte[]> late = new ProducerRecord<>("weir.late", 5, null, batch);
    late.headers().add("weir.boot_id", bootId.getBytes(StandardCharsets.UTF_8));
    return late;
  }

  private static ProducerRecord<byte[], byte[]> deadLetter(String gatewayId, String reason) {
    ProducerRecord<byte[], byte[]> deadLetter =
        new ProducerRecord<>("weir.dead-letters", 5, null, new byte[] {1});
    deadLetter.headers().add("weir.reason", reason.getBytes(StandardCharsets.UTF_8));
    deadLetter.headers().add("weir.gateway", gatewayId.getBytes(StandardCharsets.UTF_8));
    deadLetter.headers().add("weir.boot_id", "7".getBytes(StandardCharsets.UTF_8));
    return deadLetter;
  }

  @Test
  void noBroker_isReportedSoon_andAgainAtTheEnd() throws Exception {
    Path file = dir.resolve("one.csv");
    Files.writeString(file, "sensor_id,timestamp_ms,value\nsensor,1,1\n");
    String nobody;
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = "localhost:" + port.getLocalPort();
    }

    WeirProcess.Ended ended =
        WeirProcess.run(
            "edge", file.toString(), "--gateway-id", "lonely", "--bootstrap-servers", nobody);

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.err().lines().filter(line -> line.startsWith("weir edge:")))
        .satisfiesExactly(
            soon -> assertThat(soon).isEqualTo(ConnectNote.of(nobody)),
            end -> assertThat(end).contains("not acknowledged", "no answer", nobody));
    assertThat(ended.err()).contains("0 readings acknowledged, 1 not, 0 bad lines");
    assertThat(ended.err().lines().count()).as(ended.err()).isLessThanOrEqualTo(4);
  }

  private static Process edge(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("edge"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--bootstrap-servers", kafka.bootstrapServers()));
    return WeirProcess.start(all.toArray(new String[0]));
  }

  private static long number(Pattern pattern, String text, int group) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? Long.parseLong(matcher.group(group).replace(",", "")) : 0;
  }

  private static List<Long> upTo(long last) {
    return IntStream.rangeClosed(1, (int) last).mapToObj(i -> (long) i).toList();
  }

  /** Of a gateway's readings on the topic, each once. */
  private static TreeSet<Long> timestamps(String gatewayId) throws Exception {
    TreeSet<Long> timestamps = new TreeSet<>();
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, 64).mapToObj(p -> new TopicPartition("weir.readings", p)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long left = consumer.endOffsets(partitions).values().stream().mapToLong(end -> end).sum();
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          left--;
          ReadingBatch batch = ReadingBatch.parseFrom(record.value());
          if (batch.getGatewayId().equals(gatewayId)) {
            batch.getSeriesList().forEach(series -> add(series, timestamps));
          }
        }
      }
    }
    return timestamps;
  }

  private static void add(Series series, TreeSet<Long> timestamps) {
    long timestampMs = series.getStartTimestampMs();
    for (int i = 0; i < series.getValueCount(); i++) {
      timestampMs += series.getTimestampDeltaMs(i);
      timestamps.add(timestampMs);
    }
  }

  /** Writes numbered lines as fast as they are taken. */
  private static final class Writer {
    private static final byte[] HEADER =
        "sensor_id,timestamp_ms,value\n".getBytes(StandardCharsets.UTF_8);

    private final OutputStream out;
    private final CountDownLatch underLoad = new CountDownLatch(1);

    /** Bytes that the pipe took; of a last write that failed it may have taken some too. */
    private volatile long written;

    Writer(OutputStream out) {
      this.out = out;
    }

    void writeUntilClosed() {
      try {
        write(HEADER);
        for (int line = 1; ; line++) {
          write(line(line));
          if (line == LINES_BEFORE_STOP) {
            underLoad.countDown();
          }
        }
      } catch (IOException closed) {
        underLoad.countDown();
      }
    }

    private void write(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
      written += bytes.length;
    }

    private static byte[] line(long number) {
      return ("sensor," + number + ",1\n").getBytes(StandardCharsets.UTF_8);
    }

    long bytesOfLines(long lines) {
      long bytes = HEADER.length;
      for (long line = 1; line <= lines; line++) {
        bytes += line(line).length;
      }
      return bytes;
    }
  }
}
