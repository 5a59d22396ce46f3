package io.weir.lab.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.imports.AvroRecords;
import io.weir.internal.imports.ImportJob;
import io.weir.internal.imports.ImportSettings;
import io.weir.internal.imports.RecordDecoder;
import io.weir.internal.imports.RecordReader;
import io.weir.internal.text.RecordText;
import io.weir.internal.text.mapping.MappingOptions;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Limits;
import io.weir.topic.KafkaFutures;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * {@code weir import} beside a bare loop that consumes and parses the same records. The broker is
 * in this process: CPU is that of the threads of the import, and of the loop.
 */
public final class ImportBench {
  private static final int PARTITIONS = 4;
  private static final int SENSORS = 10_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final String WAY = "way of a reading through the import, p99";

  /** Records of which the way is measured, one after the other. */
  private static final int PACED = 2_000;

  private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final String JSON = "bench.json";
  private static final String AVRO = "bench.avro";
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"sensor_id\",\"type\":\"string\"},"
          + "{\"name\":\"timestamp_ms\",\"type\":\"long\"},{\"name\":\"value\",\"type\":\"double\"}]}";

  private final int records;
  private final int rounds;

  /** Records a second, and the CPU of each. */
  private record Pace(double perSecond, double cpuMicros) {}

  /**
   * @param records of each topic
   * @param rounds how often each is measured
   */
  public ImportBench(int records, int rounds) {
    this.records = records;
    this.rounds = rounds;
  }

  /**
   * Measures; returns the lines of the result.
   *
   * @param log where it says what it does
   */
  public List<String> run(PrintWriter log) {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String servers = kafka.bootstrapServers();
      fill(servers);
      String[] names = {"bare loop, JSON", "weir import, JSON", "weir import, Avro"};
      double[][] paces = new double[names.length][rounds];
      double[][] cpus = new double[names.length][rounds];
      double[] ways = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        Pace[] measured = {
          loop(servers), imported(servers, JSON, round), imported(servers, AVRO, round)
        };
        for (int i = 0; i < names.length; i++) {
          paces[i][round] = measured[i].perSecond();
          cpus[i][round] = measured[i].cpuMicros();
          CollectBench.say(log, round, "%s: %,.0f records/s", names[i], paces[i][round]);
        }
        ways[round] = wayMs(servers, round);
        CollectBench.say(log, round, WAY + ": %,.0f ms", ways[round]);
      }
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < names.length; i++) {
        lines.add(CollectBench.line(names[i], "%,.0f records/s", paces[i]));
        lines.add(CollectBench.line(names[i] + ", CPU of a record", "%.2f us", cpus[i]));
      }
      double[] ratios =
          IntStream.range(0, rounds).mapToDouble(i -> cpus[1][i] / cpus[0][i]).toArray();
      lines.add(CollectBench.line("CPU, import to loop", "%.2f", ratios) + " target 1.50 or less");
      lines.add(CollectBench.line(WAY, "%.0f ms", ways) + " target 300 or less");
      return lines;
    }
  }

  private void fill(String servers) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers));
        KafkaProducer<byte[], byte[]> producer = producer(servers, 20)) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      KafkaFutures.await(
          admin
              .createTopics(
                  Stream.concat(
                          Stream.of(JSON, AVRO),
                          IntStream.range(0, rounds).mapToObj(round -> "bench.paced." + round))
                      .map(name -> new NewTopic(name, PARTITIONS, (short) 1))
                      .toList())
              .all());
      fill(producer, JSON, ImportBench::json);
      fill(producer, AVRO, ImportBench::avro);
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(String servers, int lingerMs) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            servers,
            "batch.size",
            100_000,
            "linger.ms",
            lingerMs,
            // A new partition may refuse the first batch and take the second: then the first is a
            // duplicate to the broker when it is sent again, and nobody reads it.
            "max.in.flight.requests.per.connection",
            1),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static Consumer<byte[], byte[]> consumer(String servers) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private void fill(
      KafkaProducer<byte[], byte[]> producer, String topic, IntFunction<byte[]> value) {
    for (int i = 0; i < records; i++) {
      producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, value.apply(i)));
    }
    producer.flush();
  }

  private static String sensor(int i) {
    return "plant/line-" + i % SENSORS;
  }

  private static long time(int i) {
    return 1_764_201_600_000L + i / SENSORS * 1_000L;
  }

  /** 200 bytes, of which most are no reading. */
  private static byte[] json(int i) {
    String text =
        String.format(
            Locale.ROOT,
            "{\"sensor_id\":\"%s\",\"timestamp_ms\":%d,\"value\":%.3f,\"unit\":\"bar\",\"note\":\"",
            sensor(i),
            time(i),
            i % 1_000 / 8.0);
    return (text + "x".repeat(198 - text.length()) + "\"}").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] avro(int i) {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    GenericRecord record = new GenericData.Record(schema);
    record.put("sensor_id", sensor(i));
    record.put("timestamp_ms", time(i));
    record.put("value", i % 1_000 / 8.0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<GenericRecord>(schema).write(record, out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private Pace loop(String servers) {
    JsonFactory factory = new JsonFactory();
    long left = records;
    long beganNanos = System.nanoTime();
    Predicate<String> own = Thread.currentThread().getName()::equals;
    long cpu = cpuNanos(own);
    try (Consumer<byte[], byte[]> consumer = consumer(servers)) {
      List<TopicPartition> all =
          IntStream.range(0, PARTITIONS).mapToObj(each -> new TopicPartition(JSON, each)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          try (JsonParser parser = factory.createParser(record.value())) {
            while (parser.nextToken() != null) {
              // It only parses.
            }
          }
          left--;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pace(beganNanos, cpuNanos(own) - cpu);
  }

  /** From the send of a record until its reading can be read. */
  private static double wayMs(String servers, int round) {
    String topic = "bench.paced." + round;
    long[] tookNanos = new long[PACED];
    List<TopicPartition> readings =
        IntStream.range(0, SensorPartition.COUNT)
            .mapToObj(each -> new TopicPartition(TopicNames.DEFAULT.readings(), each))
            .toList();
    try (Consumer<byte[], byte[]> consumer = consumer(servers);
        KafkaProducer<byte[], byte[]> producer = producer(servers, 0)) {
      consumer.assign(readings);
      consumer.seekToEnd(readings);
      readings.forEach(consumer::position);
      try (ImportJob job = start(servers, topic, topic)) {
        producer.send(new ProducerRecord<>(topic, paced(-1)));
        await(job, 1); // From then on it has its partitions.
        long[] sentNanos = new long[PACED];
        long beganNanos = System.nanoTime();
        int sent = 0;
        for (int known = 0; known < PACED; ) {
          if (sent < PACED && System.nanoTime() - beganNanos >= sent * PACE_NANOS) {
            sentNanos[sent] = System.nanoTime();
            producer.send(new ProducerRecord<>(topic, paced(sent)));
            sent++;
          }
          for (ConsumerRecord<byte[], byte[]> batch : consumer.poll(Duration.ofMillis(1))) {
            long nowNanos = System.nanoTime();
            for (Series series : ReadingBatch.parseFrom(batch.value()).getSeriesList()) {
              for (double value : series.getValueList()) {
                if (value >= 0) {
                  tookNanos[(int) value] = nowNanos - sentNanos[(int) value];
                  known++;
                }
              }
            }
          }
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
    Arrays.sort(tookNanos);
    return tookNanos[PACED * 99 / 100 - 1] / 1e6;
  }

  private static byte[] paced(int i) {
    String text = "{\"sensor_id\":\"%s\",\"value\":%d}".formatted(sensor(Math.abs(i)), i);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void await(ImportJob job, long mapped) {
    while (job.status().total().mapped() < mapped) {
      if (job.ended().isDone()) {
        throw new IllegalStateException("the import ended: " + job.ended().join());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static ImportJob start(String servers, String topic, String name) {
    WeirConfig config =
        WeirConfig.of(
            new Properties(), Map.of(), Map.of("bootstrap.servers", servers, "import.name", name));
    ImportSettings settings = ImportSettings.of(config, List.of(topic), Optional.empty());
    return ImportJob.start(config, settings, reader(topic), false);
  }

  private Pace imported(String servers, String topic, int round) {
    String name = topic + "." + round;
    Predicate<String> own = thread -> thread.equals("weir-import") || thread.contains(name);
    long beganNanos = System.nanoTime();
    try (ImportJob job = start(servers, topic, name)) {
      await(job, records);
      return pace(beganNanos, cpuNanos(own));
    }
  }

  private static RecordReader reader(String topic) {
    RecordText text =
        RecordText.json(
            MappingOptions.ofRecords(Map.of("json-sensor-id", "$.sensor_id")),
            Limits.DEFAULT,
            RecordText.Time.TEXT_OR_RECORD,
            1_000);
    Optional<RecordDecoder> decoder =
        topic.equals(AVRO)
            ? Optional.of(new AvroRecords(Optional.of(SCHEMA), Optional.empty()))
            : Optional.empty();
    RecordReader.Way way = new RecordReader.Way(text, decoder);
    return new RecordReader(value -> way, Optional.empty(), false);
  }

  private Pace pace(long beganNanos, long cpuNanos) {
    return new Pace(records * 1e9 / (System.nanoTime() - beganNanos), cpuNanos / 1_000.0 / records);
  }

  /** The CPU time of living threads. */
  private static long cpuNanos(Predicate<String> names) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && names.test(each.getThreadName())) {
        nanos += Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
      }
    }
    return nanos;
  }
}
