package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.lab.chaos.FlakyLink;
import io.weir.reading.Reading;
import io.weir.topic.SensorPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The publisher against a real broker. */
@Timeout(180)
class PublisherOnKafkaTest {
  private static final String TOPIC = "weir.readings";
  private static final Map<String, Object> IMPATIENT =
      Map.of("delivery.timeout.ms", "2000", "request.timeout.ms", "1000");

  @TempDir Path dir;

  private final KafkaRig rig = new KafkaRig();

  /**
   * Leaders that come up while the first batches arrive: each round has a topic that was created an
   * instant before, and every batch is a produce batch of its own, so that several of a partition
   * could be under way at once. A producer that wedges would have to be given up, which is counted.
   */
  @Test
  void firstContact_withATopicJustCreated_arrivesOnceAndNeverWedges() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      for (int round = 0; round < 4; round++) {
        String topic = TOPIC + round;
        rig.forget();
        KafkaRig.createTopic(kafka.bootstrapServers(), topic, Map.of());
        Map<String, Object> oneByOne = Map.of("batch.size", 1);
        try (ReadingPublisher publisher = rig.start(kafka.bootstrapServers(), topic, oneByOne)) {
          rig.offerAll(publisher, 0, 200_000);
          publisher.flush();
          assertThat(rig.replacements()).isZero();
        }

        rig.assertArrived(kafka.bootstrapServers(), topic, 200_000);
      }
    }
  }

  @Test
  void brokerRestarted_inTheMiddle_losesNothingAndKeepsOrder() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    EmbeddedKafka first = EmbeddedKafka.start(options);
    KafkaRig.createTopic(first.bootstrapServers(), TOPIC, Map.of());
    String address = first.bootstrapServers();
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    try (ReadingPublisher publisher = rig.start(address, TOPIC, Map.of())) {
      rig.offerAll(publisher, 0, 50_000);
      first.close();
      rig.offerAll(publisher, 50_000, 100_000);
      try (EmbeddedKafka second = EmbeddedKafka.start(options.withPort(port))) {
        rig.offerAll(publisher, 100_000, 150_000);
        publisher.flush();

        rig.assertArrived(second.bootstrapServers(), TOPIC, 150_000);
      }
    } finally {
      first.close();
    }
  }

  /**
   * The heavy sensor's batches are larger than the topic takes until the limit is raised: ids and
   * values that no compression makes small. Sensors of other partitions do not notice.
   */
  @Test
  void batchTooLargeForTheTopic_holdsItsPartitionAlone_untilTheLimitIsRaised() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String address = kafka.bootstrapServers();
      KafkaRig.createTopic(address, TOPIC, Map.of("max.message.bytes", "600"));
      Random random = new Random(7);
      try (ReadingPublisher publisher = rig.start(address, TOPIC, Map.of())) {
        for (int i = 1; i <= 1_000; i++) {
          rig.offer(publisher, new Reading("heavy", i, random.nextDouble()));
        }
        awaitThat(() -> rig.gauge(PublisherMetrics.HELD_PARTITIONS) == 1 && rig.resends() >= 3);
        double replacements = rig.replacements();
        for (int round = 0; round < 20; round++) {
          offerToNeighbours(publisher, round);
          int neighbours = 50 * (round + 1);
          awaitThat(() -> rig.acknowledged() == neighbours);
        }
        assertThat(rig.replacements()).as("since the first refusal").isEqualTo(replacements);
        assertThat(replacements).isEqualTo(1);

        KafkaRig.raiseMaxMessageBytes(address, TOPIC, 1_048_588);
        publisher.flush();
        assertThat(rig.gauge(PublisherMetrics.HELD_PARTITIONS)).isZero();
      }

      rig.assertArrived(address, TOPIC, 2_000);
    }
  }

  /**
   * Outages longer than the delivery timeout, beyond what stays in memory: what expired goes again
   * before all that came after it, and nothing that waits on disk is passed over.
   */
  @Test
  void outagesBeyondTheDeliveryTimeout_withBatchesOnDisk_keepTheOrderOfSequences()
      throws Exception {
    int brokerPort = FlakyLink.freePort();
    try (FlakyLink link = FlakyLink.between(0, brokerPort);
        EmbeddedKafka kafka = EmbeddedKafka.start(behind(link, brokerPort))) {
      String address = "127.0.0.1:" + link.port();
      KafkaRig.createTopic(kafka.bootstrapServers(), TOPIC, Map.of());
      try (ReadingPublisher publisher =
          rig.start(
              address,
              TOPIC,
              settings ->
                  settings.batchMaxReadings(2).keepIn(dir.resolve("kept")).kafka(IMPATIENT))) {
        for (int outage = 0; outage < 2; outage++) {
          assertThat(publisher.awaitReady(Duration.ofSeconds(60))).isTrue();
          rig.offerAll(publisher, 60_000 * outage, 60_000 * outage + 30_000);
          double replacements = rig.replacements();
          link.cut();
          rig.offerAll(publisher, 60_000 * outage + 30_000, 60_000 * (outage + 1));
          awaitThat(() -> rig.replacements() > replacements);
          link.heal();
        }
        publisher.flush();
      }

      rig.assertArrived(kafka.bootstrapServers(), TOPIC, 120_000);
    }
  }

  private static EmbeddedKafka.Options behind(FlakyLink link, int brokerPort) {
    return EmbeddedKafka.Options.DEFAULT
        .withPort(brokerPort)
        .withOverrides(Map.of("advertised.listeners", "CLIENTS://127.0.0.1:" + link.port()));
  }

  @Test
  void close_withoutAnyBroker_endsAndHandsOutWhatIsLeft() {
    ReadingPublisher publisher = rig.start("127.0.0.1:1", TOPIC, Map.of());
    rig.offerAll(publisher, 0, 1_000);

    CloseReport report = publisher.close(Duration.ofMillis(50));

    assertThat(report.unsentReadings()).isEqualTo(1_000);
    assertThat(report.state().orElseThrow().unacknowledgedReadings()).isEqualTo(1_000);
  }

  /** A reading for each of 50 sensors that are not in the heavy one's partition. */
  private void offerToNeighbours(ReadingPublisher publisher, int round) {
    IntStream.range(0, 1_000)
        .mapToObj(i -> "light-" + i)
        .filter(sensor -> SensorPartition.of(sensor) != SensorPartition.of("heavy"))
        .limit(50)
        .forEach(sensor -> rig.offer(publisher, new Reading(sensor, 1 + round, round)));
  }

  private static void awaitThat(BooleanSupplier reached) {
    Await.until(() -> reached.getAsBoolean());
  }
}
