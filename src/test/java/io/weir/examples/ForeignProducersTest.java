package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.ImportJob;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Limits;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What clients of other languages write is imported. */
class ForeignProducersTest {
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() {
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
  void kcat() throws Exception {
    Tool.kcat();
    check(
        "kcat",
        List.of("kcat", "-P", "-b", kafka.bootstrapServers(), "-t", "kcat", "-K", "|"),
        "a|{\"value\":1}\nb|{\"value\":2}\n");
  }

  @Test
  void node() throws Exception {
    Path script =
        Files.writeString(
            Tool.node().resolve("foreign.mjs"),
            """
            import { Kafka } from 'kafkajs';
            const producer = new Kafka({ brokers: [process.argv[2]], logLevel: 1 }).producer();
            await producer.connect();
            await producer.send({
              topic: 'node',
              messages: [{ key: 'a', value: '{"value":1}' }, { key: 'b', value: '{"value":2}' }],
            });
            await producer.disconnect();
            """);
    check("node", List.of("node", script.toString(), kafka.bootstrapServers()), "");
  }

  @Test
  void python() throws Exception {
    String script =
        """
        import sys, confluent_kafka
        producer = confluent_kafka.Producer({'bootstrap.servers': sys.argv[1]})
        for key, value in (('a', 1), ('b', 2)):
            producer.produce('python', key=key, value='{"value":%d}' % value)
        producer.flush()
        """;
    check("python", List.of(Tool.python(), "-c", script, kafka.bootstrapServers()), "");
  }

  private static void check(String topic, List<String> program, String input) throws Exception {
    String servers = kafka.bootstrapServers();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    }
    Tool.Ended ended = Tool.run(program, input);
    assertThat(ended.status()).as(ended.err()).isZero();
    WeirConfig config =
        WeirConfig.of(
            new Properties(), Map.of(), Map.of("bootstrap.servers", servers, "import.name", topic));
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(Map.of("sensor-id", "{key}")),
            Limits.DEFAULT,
            RecordText.Time.TEXT_OR_RECORD,
            1_000);
    RecordReader.Way way = new RecordReader.Way(text, Optional.empty());
    try (ImportJob job =
        ImportJob.start(
            config,
            ImportSettings.of(config, List.of(topic), Optional.empty()),
            new RecordReader(value -> way, Optional.empty(), false),
            false)) {
      Await.until(() -> job.status().total().mapped() >= 2);
    }
    List<String> readings = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : Committed.of(servers, List.of("weir.readings"))) {
      ReadingBatch batch = ReadingBatch.parseFrom(record.value());
      if (batch.getGatewayId().equals("import/" + topic)) {
        for (Series series : batch.getSeriesList()) {
          series.getValueList().forEach(value -> readings.add(series.getSensorId() + "=" + value));
        }
      }
    }
    assertThat(readings).containsExactlyInAnyOrder("a=1.0", "b=2.0");
  }
}
