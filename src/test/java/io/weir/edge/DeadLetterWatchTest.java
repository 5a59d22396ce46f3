package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.reading.Reading;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(180)
class DeadLetterWatchTest {
  @Test
  void fencedGateway_isReported_thoughItsBatchesAreAcknowledged() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    CountDownLatch refused = new CountDownLatch(1);
    Set<Refusal> received = ConcurrentHashMap.newKeySet();
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.readings", Map.of());
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.dead-letters", Map.of());
      PublisherSettings settings =
          PublisherSettings.builder("gateway-7")
              .bootstrapServers(kafka.bootstrapServers())
              .watchDeadLetters("weir.dead-letters", received::add)
              .listener(
                  status -> {
                    if (status.state() == PublisherStatus.State.REFUSED) {
                      refused.countDown();
                    }
                  })
              .build();
      try (ReadingPublisher publisher = ReadingPublisher.start(settings, registry);
          KafkaProducer<byte[], byte[]> weir =
              new KafkaProducer<>(
                  Map.of("bootstrap.servers", kafka.bootstrapServers()),
                  new ByteArraySerializer(),
                  new ByteArraySerializer())) {
        assertThat(publisher.awaitReady(Duration.ofSeconds(60))).isTrue();
        publisher.offer(new Reading("pump", 1, 1));
        publisher.flush();
        // The watch begins at the end of the topic, whenever it gets there.
        while (refused.getCount() > 0) {
          weir.send(deadLetter("gateway-7", publisher.bootId() - 1)).get();
          weir.send(deadLetter("gateway-8", publisher.bootId())).get();
          weir.send(deadLetter("gateway-7", publisher.bootId())).get();
        }
        assertThat(publisher.status().cause()).contains("FENCED");
        assertThat(publisher.watchesDeadLetters()).isTrue();
        assertThat(received)
            .contains(new Refusal("FENCED", publisher.bootId()))
            .allMatch(refusal -> Math.abs(refusal.bootId() - publisher.bootId()) <= 1);
        assertThat(
                registry
                    .get(PublisherMetrics.DEAD_LETTERS)
                    .tag("reason", "fenced")
                    .counter()
                    .count())
            .isPositive();
      }
    }
  }

  @Test
  void refusalBeforeTheWatchBegan_isReported_andNothingAfterTheEnd() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer");
    log.start();
    logger.setLevel(Level.ERROR);
    logger.addAppender(log);
    BlockingQueue<Refusal> received = new LinkedBlockingQueue<>();
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        KafkaProducer<byte[], byte[]> weir =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.dead-letters", Map.of());
      weir.send(deadLetter("gateway-7", 4)).get();
      PublisherSettings settings =
          PublisherSettings.builder("gateway-7").bootstrapServers(kafka.bootstrapServers()).build();
      try (DeadLetterWatch watch =
          DeadLetterWatch.start(settings, "weir.dead-letters", received::add)) {
        assertThat(received.take()).isEqualTo(new Refusal("FENCED", 4));
        assertThat(watch.isReading()).isTrue();
      }
      while (Thread.getAllStackTraces().keySet().stream()
          .anyMatch(thread -> thread.getName().equals("weir-publisher-gateway-7-refused"))) {
        Await.pause();
      }
      assertThat(log.list).isEmpty();
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }
  }

  /** A listener that throws would otherwise get the same dead letter for ever. */
  @Test
  void listenerThatThrows_getsTheNextOne() throws Exception {
    BlockingQueue<Refusal> received = new LinkedBlockingQueue<>();
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        KafkaProducer<byte[], byte[]> weir =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      KafkaRig.createTopic(kafka.bootstrapServers(), "weir.dead-letters", Map.of());
      weir.send(deadLetter("gateway-7", 4)).get();
      weir.send(deadLetter("gateway-7", 5)).get();
      PublisherSettings settings =
          PublisherSettings.builder("gateway-7").bootstrapServers(kafka.bootstrapServers()).build();
      Refusal.Listener listener =
          refusal -> {
            received.add(refusal);
            throw new IllegalStateException("of the user");
          };
      try (DeadLetterWatch watch = DeadLetterWatch.start(settings, "weir.dead-letters", listener)) {
        assertThat(received.take()).isEqualTo(new Refusal("FENCED", 4));
        assertThat(received.take()).isEqualTo(new Refusal("FENCED", 5));
        assertThat(watch.isReading()).isTrue();
      }
    }
  }

  private static ProducerRecord<byte[], byte[]> deadLetter(String gatewayId, long bootId) {
    ProducerRecord<byte[], byte[]> deadLetter =
        new ProducerRecord<>("weir.dead-letters", 5, null, new byte[] {1});
    deadLetter.headers().add("weir.reason", bytes("FENCED"));
    deadLetter.headers().add("weir.gateway", bytes(gatewayId));
    deadLetter.headers().add("weir.boot_id", bytes(Long.toUnsignedString(bootId)));
    return deadLetter;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
