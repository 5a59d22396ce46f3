package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.ops.Meters;
import io.weir.internal.wire.ResetMark;
import io.weir.topic.SensorPartition;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is fenced for ever, and what an operator can do about it; over a real broker. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class GatewayResetTest {
  private static final String SENSOR = "boiler-3/temperature";
  private static final int PARTITION = SensorPartition.of(SENSOR);
  private static final long T = 1_700_000_000_000L;
  private static final byte[] NONCE = "nobody knows it.".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path dir;

  @Test
  void fencedGateway_countsAgainAfterItsReset_andForgedMarksChangeNothing() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      try (StreamsApplication first = rig.start();
          KafkaProducer<byte[], byte[]> producer = producer(rig)) {
        fence(producer);
        send(producer, new byte[0], new ResetMark(0, 1, 2));
        send(producer, batch(7, 1), null);
        assertThat(new GatewayResets(producer, TopicNames.DEFAULT).reset("g", NONCE)).isZero();
        send(producer, batch(7, 2), null);
        send(producer, new byte[0], ResetMark.of(0, ByteString.copyFrom(NONCE)));
        send(producer, batch(7, 2), null);
        send(producer, new byte[] {1}, null);

        List<String> deadLetters = deadLetters(rig, TopicNames.DEFAULT.deadLetters());
        assertThat(deadLetters.stream().map(deadLetter -> deadLetter.split(" ")[0]))
            .containsExactly("UNKNOWN_RESET", "FENCED", "UNDECODABLE");
        assertThat(first.ended()).isNotDone();
        assertThat(anotherPass(rig)).as("by another application").isEqualTo(deadLetters);
      }
    }
  }

  /** From partition 40 on, the marks of a later order lie before those of the first. */
  @Test
  void partitionsThatSkipAnOrder_areNamed_andThoseThatTheApplicationHasNotComeTo()
      throws Exception {
    byte[] other = "nobody guesses...".getBytes(StandardCharsets.UTF_8);
    String readings = TopicNames.DEFAULT.readings();
    try (AppRig rig = new AppRig(dir)) {
      rig.createTopics();
      try (KafkaProducer<byte[], byte[]> second = producer(rig);
          KafkaProducer<byte[], byte[]> first = overtaken(rig, second, Arrays.copyOf(other, 16));
          KafkaConsumer<byte[], byte[]> reader = reader(rig)) {
        ResetReport report = new ResetReport(readings, reader);
        GatewayResets.Given given = new GatewayResets(first, TopicNames.DEFAULT).give("g", NONCE);

        try (BrokerControlLog orders =
            BrokerControlLog.open(rig.config(Map.of(), Map.of()), Uuid.ZERO_UUID)) {
          assertThat(report.skipped(given, "g", orders))
              .hasSize(24)
              .containsOnlyKeys(IntStream.range(40, 64).boxed().toList())
              .containsValue(2L);
        }
        String applicationId = rig.config(Map.of(), Map.of()).applicationId();
        assertThat(report.ahead(given, rig.admin(), applicationId)).hasSize(64);
        try (StreamsApplication running = rig.start()) {
          while (!report.ahead(given, rig.admin(), applicationId).isEmpty()) {
            assertThat(running.ended()).isNotDone();
            Await.pause();
          }
        }
      }
    }
  }

  /** Before its mark in partition 40, other operators reset another gateway, then the same. */
  private static KafkaProducer<byte[], byte[]> overtaken(
      AppRig rig, KafkaProducer<byte[], byte[]> others, byte[] nonce) {
    return new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer()) {
      @Override
      public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        if (record.topic().equals(TopicNames.DEFAULT.readings()) && record.partition() == 40) {
          GatewayResets resets = new GatewayResets(others, TopicNames.DEFAULT);
          resets.reset("h", nonce);
          resets.reset("g", nonce);
        }
        Future<RecordMetadata> sent = super.send(record);
        flush();
        return sent;
      }
    };
  }

  private static KafkaConsumer<byte[], byte[]> reader(AppRig rig) {
    return new KafkaConsumer<>(
        rig.client(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** With an application id, and outputs, of its own: the log alone decides. */
  private List<String> anotherPass(AppRig rig) throws Exception {
    TopicNames own = new TopicNames("weir.readings", "other.w", "other.l", "other.d");
    new TopicAdmin(rig.admin(), own).createMissing();
    WeirConfig config =
        rig.config(
            Map.of(),
            Map.of(
                "application.id",
                "other",
                "topic.windows",
                own.windows(),
                "topic.late",
                own.late(),
                "topic.dead-letters",
                own.deadLetters(),
                "state.dir",
                dir + "/other"));
    try (StreamsApplication other =
        WeirApplication.start(config, new Meters(new SimpleMeterRegistry()))) {
      List<String> deadLetters = deadLetters(rig, own.deadLetters());
      assertThat(other.ended()).isNotDone();
      return deadLetters;
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(AppRig rig) {
    return new KafkaProducer<>(rig.client(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** The real gateway has boot 7; five later ones are not its own. */
  private static void fence(KafkaProducer<byte[], byte[]> producer) throws Exception {
    for (long boot = 11; boot <= 15; boot++) {
      send(producer, batch(boot, 1), null);
    }
  }

  private static byte[] batch(long boot, long sequence) {
    Reading reading =
        Reading.newBuilder().setSensorId(SENSOR).setTimestampMs(T + sequence).setValue(1).build();
    return ReadingBatch.newBuilder()
        .setGatewayId("g")
        .setBootId(boot)
        .setSequence(sequence)
        .addReadings(reading)
        .build()
        .toByteArray();
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, byte[] value, ResetMark mark)
      throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(TopicNames.DEFAULT.readings(), PARTITION, null, value);
    if (mark != null) {
      mark.mark(record.headers());
    }
    producer.send(record).get();
  }

  /** Reasons and offsets, once the dead letter of the last record is there; ticks are none. */
  private static List<String> deadLetters(AppRig rig, String topic) {
    while (true) {
      List<ConsumerRecord<byte[], byte[]>> deadLetters =
          Committed.of(rig.bootstrapServers(), List.of(topic));
      boolean last =
          deadLetters.stream()
              .anyMatch(l -> text(l, DeadLetterHeaders.REASON).equals("UNDECODABLE"));
      if (last) {
        return deadLetters.stream()
            .map(l -> text(l, DeadLetterHeaders.REASON) + " " + text(l, DeadLetterHeaders.OFFSET))
            .toList();
      }
      Await.longPause();
    }
  }

  private static String text(ConsumerRecord<byte[], byte[]> deadLetter, String header) {
    return new String(deadLetter.headers().lastHeader(header).value(), StandardCharsets.UTF_8);
  }

  @Test
  void marksThatAreNotAcknowledged_areNamed() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            boolean away = record.topic().equals("weir.readings") && record.partition() % 32 == 3;
            return away
                ? CompletableFuture.failedFuture(new TimeoutException("leader away"))
                : super.send(record);
          }
        };

    assertThatThrownBy(() -> new GatewayResets(producer, TopicNames.DEFAULT).reset("g", NONCE))
        .isInstanceOf(KafkaException.class)
        .hasMessage(
            "the gateway is not reset in partitions [3, 35] of weir.readings; run it again: leader"
                + " away");
    assertThat(producer.history()).hasSize(63);
  }
}
