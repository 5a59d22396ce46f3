package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.SensorPartition;
import io.weir.topic.SensorPartitioner;
import io.weir.v1.WindowSummary;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program in src/examples that joins windows with a table of sensors, as a user compiles it.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class JoinExampleTest {
  private static final Path SOURCE = Path.of("src/examples/java/joining/SensorPlaces.java");
  private static final int SENSORS = 40;

  @TempDir private Path dir;

  /** With Kafka's default partitioner 38 of 40 sensors would be elsewhere. */
  @Test
  void everyWindow_findsItsSensor() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(topic("weir.windows", 64), topic("sensors", 64), topic("sensor-places", 1)))
          .all()
          .get();
      Set<String> expected = fill(kafka.bootstrapServers());

      Set<String> found = new TreeSet<>();
      try (KafkaConsumer<String, String> rows = rows(kafka);
          KafkaStreams streams = new KafkaStreams(topology(), settings(kafka))) {
        streams.start();
        Await.until(
            () -> {
              rows.poll(Duration.ofMillis(200))
                  .forEach(row -> found.add(row.key() + " " + row.value()));
              return found.size() >= expected.size();
            });
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  private static KafkaConsumer<String, String> rows(EmbeddedKafka kafka) {
    KafkaConsumer<String, String> rows =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer());
    TopicPartition partition = new TopicPartition("sensor-places", 0);
    rows.assign(List.of(partition));
    rows.seekToBeginning(List.of(partition));
    return rows;
  }

  private static NewTopic topic(String name, int partitions) {
    return new NewTopic(name, partitions, (short) 1);
  }

  private Properties settings(EmbeddedKafka kafka) {
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "application.id", "sensor-places",
            "bootstrap.servers", kafka.bootstrapServers(),
            "isolation.level", "read_committed",
            "auto.offset.reset", "earliest",
            "dsl.store.suppliers.class", InMemoryDslStoreSuppliers.class.getName(),
            "commit.interval.ms", "2000",
            "state.dir", dir.resolve("state").toString()));
    return settings;
  }

  /** Two windows a sensor, as Weir writes them; and a table of sensors. */
  private static Set<String> fill(String bootstrapServers) throws Exception {
    Set<String> expected = new TreeSet<>();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "partitioner.class",
            SensorPartitioner.class.getName());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < SENSORS; i++) {
        String sensor = "hall-" + i % 3 + "/boiler-" + i;
        byte[] key = sensor.getBytes(StandardCharsets.UTF_8);
        byte[] place = ("place " + i).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>("sensors", key, place));
        for (long startMs : new long[] {0, 10_000}) {
          byte[] window =
              WindowSummary.newBuilder()
                  .setSensorId(sensor)
                  .setWindowStartMs(startMs)
                  .setWindowEndMs(startMs + 10_000)
                  .setCount(1)
                  .setMax(i)
                  .build()
                  .toByteArray();
          int partition = SensorPartition.of(sensor);
          producer.send(new ProducerRecord<>("weir.windows", partition, key, window));
          expected.add(sensor + " place " + i + " " + startMs + " " + (double) i);
        }
      }
      producer.flush();
    }
    return expected;
  }

  private Topology topology() throws Exception {
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--release",
                "17",
                "-proc:none",
                "-Xlint:all,-classfile,-path",
                "-Werror",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                dir.toString(),
                SOURCE.toString());
    assertThat(status).isZero();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {dir.toUri().toURL()}, getClass().getClassLoader())) {
      return (Topology)
          loader
              .loadClass("joining.SensorPlaces")
              .getMethod("topology", String.class, String.class)
              .invoke(null, "sensors", "sensor-places");
    }
  }
}
