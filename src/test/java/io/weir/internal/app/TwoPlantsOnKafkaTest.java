package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Await;
import io.weir.Committed;
import io.weir.edge.PublisherSettings;
import io.weir.edge.ReadingPublisher;
import io.weir.internal.ops.Meters;
import io.weir.reading.Reading;
import io.weir.topic.TopicAdmin;
import io.weir.v1.WindowSummary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two plants with equal sensors, gateways and windows on one broker. */
@Timeout(180)
class TwoPlantsOnKafkaTest {
  private static final String SENSOR = "boiler-1";

  @TempDir Path dir;

  @Test
  void nothingMixes() throws Exception {
    try (AppRig rig = new AppRig(dir)) {
      WeirConfig jakarta = config(rig, "jakarta");
      WeirConfig bandung = config(rig, "jakarta-2");
      for (WeirConfig config : List.of(jakarta, bandung)) {
        new TopicAdmin(rig.admin(), config.topics()).createMissing();
      }
      try (StreamsApplication first = start(jakarta);
          StreamsApplication second = start(bandung)) {
        long startMs = System.currentTimeMillis() / 10_000 * 10_000 - 60_000;
        publish(rig, jakarta, startMs, 1, 2);
        publish(rig, bandung, startMs, 10, 20, 30);
        Await.until(
            () -> {
              assertThat(first.ended()).isNotDone();
              assertThat(second.ended()).isNotDone();
              return sums(rig, jakarta).contains(3.0) && sums(rig, bandung).contains(60.0);
            });
        assertThat(sums(rig, jakarta)).containsOnly(3.0);
        assertThat(sums(rig, bandung)).containsOnly(60.0);
      }
      assertThat(rig.admin().listTopics().names().get())
          .allMatch(topic -> topic.startsWith("jakarta.") || topic.startsWith("jakarta-2."));
    }
  }

  private WeirConfig config(AppRig rig, String plant) {
    return rig.config(
        Map.of(), Map.of("plant", plant, "window.size", "10s", "state.dir", dir + "/" + plant));
  }

  private static StreamsApplication start(WeirConfig config) {
    return WeirApplication.start(config, new Meters(new SimpleMeterRegistry()));
  }

  private static void publish(AppRig rig, WeirConfig config, long startMs, double... values)
      throws Exception {
    PublisherSettings settings =
        PublisherSettings.builder("gateway")
            .bootstrapServers(rig.bootstrapServers())
            .topic(config.topics().readings())
            .build();
    try (ReadingPublisher publisher = ReadingPublisher.start(settings)) {
      for (int i = 0; i < values.length; i++) {
        publisher.offer(new Reading(SENSOR, startMs + i, values[i]));
      }
    }
  }

  private static List<Double> sums(AppRig rig, WeirConfig config) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> records =
        Committed.of(rig.bootstrapServers(), List.of(config.topics().windows()));
    List<Double> sums = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      sums.add(WindowSummary.parseFrom(record.value()).getSum());
    }
    return sums;
  }
}
