package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.EmbeddedKafka;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events to a real broker that goes away in the middle. */
@Timeout(180)
class EventPublisherOnKafkaTest {
  private static final int KEYS = 300;
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

  @TempDir Path dir;

  private final Map<String, List<Integer>> accepted = new HashMap<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private int next;

  @Test
  void brokerGone_andThePublisherToo_eachEventArrivesOnceAndInOrder() throws Exception {
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withDataDir(dir.resolve("data"));
    EmbeddedKafka first = EmbeddedKafka.start(options);
    String address = first.bootstrapServers();
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    KafkaRig.createTopic(address, "weir.events", Map.of());
    KafkaRig.createTopic(address, "weir.scheduled", Map.of());
    EventPublisherSettings settings =
        EventPublisherSettings.of(
            PublisherSettings.builder("gateway-7")
                .bootstrapServers(address)
                .batchMaxReadings(100)
                .keepIn(dir.resolve("kept"))
                .build());
    try (EventPublisher publisher = EventPublisher.start(settings)) {
      offer(publisher, 10_000);
      assertThat(publisher.flush(LONG_ENOUGH)).isTrue();
      first.close();
      offer(publisher, 10_000);
      CloseReport report = publisher.close(Duration.ofMillis(1));
      assertThat(report.complete()).isFalse();
    } finally {
      first.close();
    }
    try (EmbeddedKafka second = EmbeddedKafka.start(options.withPort(port));
        EventPublisher publisher = EventPublisher.start(settings)) {
      offer(publisher, 10_000);
      assertThat(publisher.flush(LONG_ENOUGH)).isTrue();
      assertThat(publisher.queuedEvents()).isZero();

      Map<String, List<Integer>> arrived = new HashMap<>();
      read(second.bootstrapServers(), "weir.events", arrived);
      read(second.bootstrapServers(), "weir.scheduled", arrived);
      assertThat(arrived).isEqualTo(accepted);
    }
    assertThat(acknowledged.get()).isBetween(20_000, 30_000);
  }

  /** Each fourth is scheduled. */
  private void offer(EventPublisher publisher, int events) {
    for (int i = 0; i < events; i++) {
      int number = next++;
      Event.Builder event =
          Event.newBuilder()
              .setKey("key-" + number % KEYS)
              .setTimestampMs(1_700_000_000_000L + number)
              .putFields("n", Value.newBuilder().setInt64Value(number).build());
      if (number % 4 == 0) {
        event.setId("t" + number).setDueMs(1_700_000_000_000L);
      }
      assertThat(publisher.offer(event.build(), acknowledged::incrementAndGet))
          .isEqualTo(Offer.ACCEPTED);
      accepted.computeIfAbsent(nameOf(event.build()), name -> new ArrayList<>()).add(number);
    }
  }

  private static String nameOf(Event event) {
    return (event.getDueMs() > 0 ? "scheduled " : "events ") + event.getKey();
  }

  private static void read(String address, String topic, Map<String, List<Integer>> arrived)
      throws Exception {
    Set<String> seen = new HashSet<>();
    for (List<byte[]> partition : KafkaRig.readAll(address, topic)) {
      seen.clear();
      for (byte[] value : partition) {
        EventBatch batch = EventBatch.parseFrom(value);
        if (!seen.add(batch.getBootId() + " " + batch.getSequence())) {
          continue;
        }
        for (Event event : batch.getEventsList()) {
          int number = (int) event.getFieldsOrThrow("n").getInt64Value();
          arrived.computeIfAbsent(nameOf(event), name -> new ArrayList<>()).add(number);
        }
      }
    }
  }
}
