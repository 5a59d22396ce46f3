package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.cli.TextFeed;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.app.StreamsApplication;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.ops.Meters;
import io.weir.internal.text.Pipes;
import io.weir.internal.text.ReadingTextReader;
import io.weir.internal.text.TextFormat;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.GroupLag;
import io.weir.lab.check.GatewayCheck;
import io.weir.lab.oracle.NaiveWindows;
import io.weir.reading.Limits;
import io.weir.summary.LatestSummaryReader;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Weir on a broker, for gateways that are other programs. */
final class RunningWeir implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final StreamsApplication application;
  private final Path descriptors;

  RunningWeir(Path dir) throws IOException {
    kafka = EmbeddedKafka.start();
    admin = Admin.create(kafka());
    new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
    Map<String, String> options =
        Map.of(
            "bootstrap.servers", kafka.bootstrapServers(),
            "window.size", GatewayReadings.WINDOW_MS + "ms",
            "window.grace", "0s",
            "allowed.lateness", "1h",
            "idle.timeout", "300ms",
            "threads", "1",
            "http.port", "0",
            "state.dir", dir.resolve("state").toString());
    WeirConfig config = WeirConfig.of(new Properties(), Map.of(), options);
    application = WeirApplication.start(config, new Meters(meters));
    descriptors = writeDescriptors(dir.resolve("weir.binpb"));
  }

  /** Writes what {@code protoc --descriptor_set_out} writes. */
  static Path writeDescriptors(Path file) throws IOException {
    return Files.write(
        file,
        FileDescriptorSet.newBuilder()
            .addFile(ReadingBatch.getDescriptor().getFile().toProto())
            .addFile(WindowSummary.getDescriptor().getFile().toProto())
            .build()
            .toByteArray());
  }

  /** A topic that is not Weir's. */
  void createTopic(String name, int partitions) throws Exception {
    admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1))).all().get();
  }

  /** The records of a topic, in any order. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
      while (records.size() < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** What {@code protoc --descriptor_set_out} writes. */
  Path descriptors() {
    return descriptors;
  }

  /** Publishes JSON lines of readings as Weir's own publisher does. */
  void publish(String gatewayId, String lines) throws IOException {
    PublisherSettings settings =
        PublisherSettings.builder(gatewayId).bootstrapServers(bootstrapServers()).build();
    try (ReadingPublisher publisher = ReadingPublisher.start(settings);
        ReadingTextReader reader =
            ReadingTextReader.open(
                List.of("-"),
                Pipes.of(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8))),
                TextFormat.JSON_LINES,
                Limits.DEFAULT)) {
      new TextFeed(reader, publisher, Optional.empty()).run(() -> false, () -> {});
    }
  }

  /**
   * The latest summaries of a gateway's sensors, when as many readings are in them as there must
   * be.
   */
  Map<NaiveWindows.Key, WindowSummary> summaries(String gatewayId, long readings) {
    GroupLag lag = new GroupLag(admin, "weir", TopicNames.DEFAULT.readings());
    Map<TopicPartition, Long> ends = lag.ends(); // Ticks come as long as sensors are silent.
    long start = System.nanoTime();
    while (true) {
      boolean allSeen = lag.recordsBefore(ends) == 0;
      Map<NaiveWindows.Key, WindowSummary> summaries = summaries(gatewayId);
      long found = summaries.values().stream().mapToLong(w -> w.getCount() + w.getBadCount()).sum();
      if (allSeen && found >= readings) {
        return summaries;
      }
      assertThat(application.ended()).isNotDone();
      assertThat(System.nanoTime() - start)
          .as("%d of %d readings, lag %d", found, readings, lag.records())
          .isLessThan(TIMEOUT_NANOS);
      Await.pause();
    }
  }

  Map<NaiveWindows.Key, WindowSummary> summaries(String gatewayId) {
    Map<NaiveWindows.Key, WindowSummary> summaries = new HashMap<>();
    try (LatestSummaryReader reader =
        LatestSummaryReader.open(kafka(), TopicNames.DEFAULT.windows())) {
      reader.forEachRemaining(
          window -> {
            if (window.getSensorId().startsWith(gatewayId + "/")) {
              summaries.put(
                  new NaiveWindows.Key(window.getSensorId(), window.getWindowStartMs()), window);
            }
          });
    }
    return summaries;
  }

  /** What {@code weir check-gateway} would say of the gateway's records. */
  GatewayCheck checkOf(String gatewayId) throws Exception {
    GatewayCheck check = new GatewayCheck();
    Map<TopicPartition, Long> ends = ends(TopicNames.DEFAULT.readings());
    Map<String, Object> settings = new HashMap<>(kafka());
    settings.put("auto.offset.reset", "earliest");
    ByteArrayDeserializer bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
      consumer.assign(ends.keySet());
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          if (record.key() != null
              && gatewayId.equals(new String(record.key(), StandardCharsets.UTF_8))) {
            check.take(record);
          }
        }
      }
    }
    return check;
  }

  private Map<TopicPartition, Long> ends(String topic) throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (int partition = 0; partition < 64; partition++) {
      latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin.listOffsets(latest).all().get().forEach((tp, end) -> ends.put(tp, end.offset()));
    return ends;
  }

  /** Readings that came in batches seen before. */
  double duplicates() {
    return meters.find("weir.readings").tag("outcome", "duplicate").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  /** Records on the topics of what was not aggregated. */
  long lateAndDeadLetters() throws Exception {
    long records = 0;
    for (String topic : List.of(TopicNames.DEFAULT.late(), TopicNames.DEFAULT.deadLetters())) {
      for (long end : ends(topic).values()) {
        records += end;
      }
    }
    return records;
  }

  private Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }

  @Override
  public void close() {
    application.close();
    admin.close();
    kafka.close();
  }
}
