package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Seeds;
import io.weir.edge.EventPublisher.EventChannel;
import io.weir.internal.event.EventRefusal;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events over brokers that lose answers, expire, refuse and let old requests arrive late. */
class EventPublisherTest {
  private static final String[] KEYS = {"line-1", "line-2", "account-é", "m", "n", "o"};

  private final Map<String, FakeBrokers> brokers = new HashMap<>();
  private final Map<String, EventChannel> channels = new HashMap<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private long nowNanos = 5_000_000_000L;

  private EventPublisher publisher(PublisherSettings settings) {
    return new EventPublisher(EventPublisherSettings.of(settings), this::open);
  }

  private EventChannel open(PublisherSettings settings, String name) {
    FakeBrokers own = new FakeBrokers();
    EventChannel channel =
        new EventChannel(
            settings,
            name,
            new PublisherDependencies(
                PublisherRig.BOOT_ID,
                registry,
                () -> nowNanos,
                own,
                Optional.empty(),
                Runnable::run));
    brokers.put(settings.topic(), own);
    channels.put(settings.topic(), channel);
    return channel;
  }

  @Test
  void whateverBrokersDo_eachEventArrivesOnce_inTheOrderOfItsKey() {
    Seeds.forEach(
        300,
        random -> {
          brokers.clear();
          channels.clear();
          Map<String, List<Event>> accepted = new HashMap<>();
          List<Integer> acknowledged = new ArrayList<>();
          EventPublisher publisher =
              publisher(
                  PublisherRig.builder()
                      .batchMaxReadings(1 + random.nextInt(6))
                      .queueCapacity(20 + random.nextInt(200))
                      .build());
          int offered = 0;
          for (int step = 0; step < 60; step++) {
            if (random.nextBoolean()) {
              for (int i = random.nextInt(20); i > 0; i--) {
                int number = offered++;
                Event event = event(random, number);
                if (publisher.offer(event, () -> acknowledged.add(number)) == Offer.ACCEPTED) {
                  String to = event.getDueMs() > 0 ? "weir.scheduled " : "weir.events ";
                  accepted.computeIfAbsent(to + event.getKey(), k -> new ArrayList<>()).add(event);
                }
              }
            } else {
              brokers.values().forEach(each -> each.actAtRandom(random));
            }
            nowNanos += Duration.ofMillis(random.nextInt(2_000)).toNanos();
            channels.values().forEach(channel -> channel.core().sendLoop().runOnce());
          }
          drain(publisher);

          assertThat(arrived()).isEqualTo(accepted);
          assertThat(acknowledged)
              .doesNotHaveDuplicates()
              .hasSize(accepted.values().stream().mapToInt(List::size).sum());
        });
  }

  private static Event event(Random random, int number) {
    Event.Builder event =
        Event.newBuilder()
            .setKey(KEYS[random.nextInt(KEYS.length)])
            .setTimestampMs(1_700_000_000_000L + number)
            .putFields("n", Value.newBuilder().setInt64Value(number).build());
    return random.nextInt(4) == 0
        ? event.setId("t").setDueMs(1_700_000_000_000L).build()
        : event.build();
  }

  private void drain(EventPublisher publisher) {
    channels.values().forEach(channel -> channel.core().flushAsync());
    brokers.values().forEach(FakeBrokers::heal);
    for (int rounds = 0; publisher.queuedEvents() > 0; rounds++) {
      assertThat(rounds).as("events left for ever").isLessThan(10_000);
      nowNanos += Duration.ofSeconds(10).toNanos();
      channels.values().forEach(channel -> channel.core().sendLoop().runOnce());
      brokers.values().forEach(FakeBrokers::acknowledgeAll);
    }
  }

  /** By topic and key, without repeats; sequences have no gaps and name the same bytes for ever. */
  private Map<String, List<Event>> arrived() throws Exception {
    Map<String, List<Event>> arrived = new HashMap<>();
    for (Map.Entry<String, FakeBrokers> topic : brokers.entrySet()) {
      for (int partition = 0; partition < SensorPartition.COUNT; partition++) {
        List<byte[]> batches = new ArrayList<>();
        for (byte[] value : topic.getValue().topic(partition)) {
          EventBatch batch = EventBatch.parseFrom(value);
          assertThat(batch.getGatewayId()).isEqualTo("gateway-7");
          assertThat(batch.getBootId()).isEqualTo(PublisherRig.BOOT_ID);
          if (batch.getSequence() <= batches.size()) {
            assertThat(value).isEqualTo(batches.get((int) batch.getSequence() - 1));
            continue;
          }
          batches.add(value);
          assertThat(batch.getSequence()).isEqualTo(batches.size());
          for (Event event : batch.getEventsList()) {
            assertThat(SensorPartition.of(event.getKey())).isEqualTo(partition);
            arrived
                .computeIfAbsent(topic.getKey() + " " + event.getKey(), key -> new ArrayList<>())
                .add(event);
          }
        }
      }
    }
    return arrived;
  }

  /** As UTF-8 two of them would be one: one order would replace another. */
  @Test
  void halfASurrogatePair_isRefusedInAnyText() {
    Event plain = Event.newBuilder().setKey("k").setTimestampMs(1).build();
    Value half = Value.newBuilder().setStringValue("\ud800").build();
    List<Event> events =
        List.of(
            plain.toBuilder().setSubject("a\udc00").build(),
            plain.toBuilder().setType("\ud800b").build(),
            plain.toBuilder().setId("\ud800").build(),
            plain.toBuilder().putFields("\ud800", Value.getDefaultInstance()).build(),
            plain.toBuilder().putFields("f", half).build());
    for (Event event : events) {
      assertThat(EventPublisher.refusal(event).orElseThrow()).contains("unpaired surrogate");
    }
    assertThat(EventPublisher.refusal(plain.toBuilder().setId("\ud83d\ude00").build())).isEmpty();
  }

  @Test
  void whatIsNeverAccepted_isRefused_withWhy() {
    EventPublisher publisher = publisher(PublisherRig.builder().build());
    Event noKey = Event.newBuilder().setTimestampMs(1).build();
    Event half = Event.newBuilder().setKey("\ud800").setTimestampMs(1).build();
    Event noTime = Event.newBuilder().setKey("k").build();

    for (Event event : List.of(noKey, half, noTime)) {
      assertThat(publisher.offer(event)).isEqualTo(Offer.REFUSED_EVENT);
    }
    assertThat(EventPublisher.refusal(noKey)).hasValue("key is empty");
    assertThat(EventPublisher.refusal(half).orElseThrow()).contains("surrogate");
    assertThat(EventPublisher.refusal(noTime)).hasValue(EventRefusal.INVALID_TIMESTAMP.meaning());
    assertThat(channels).hasSize(1);
    assertThat(publisher.queuedEvents()).isZero();
    assertThat(
            registry
                .get(PublisherMetrics.OFFERS)
                .tags("gateway", "gateway-7/events", "outcome", "refused_event")
                .counter()
                .count())
        .isEqualTo(3);
  }

  @Test
  void queueFull_suspends_andTakesAgain() {
    EventPublisher publisher = publisher(PublisherRig.builder().queueCapacity(10).build());
    Random random = new Random(1);
    int accepted = 0;
    while (publisher.offer(event(random, accepted).toBuilder().clearDueMs().build())
        == Offer.ACCEPTED) {
      accepted++;
    }
    assertThat(accepted).isEqualTo(9);
    assertThat(publisher.queuedEvents()).isEqualTo(9);

    drain(publisher);

    assertThat(publisher.offer(Event.newBuilder().setKey("k").setTimestampMs(1).build()))
        .isEqualTo(Offer.ACCEPTED);
  }

  @Test
  void largeEvents_makeBatchesThatTheTopicTakes() throws Exception {
    EventPublisher publisher = publisher(PublisherRig.builder().build());
    Value large = Value.newBuilder().setStringValue("x".repeat(200 << 10)).build();
    for (int i = 0; i < 20; i++) {
      Event event =
          Event.newBuilder().setKey("k").setTimestampMs(1 + i).putFields("f", large).build();
      assertThat(publisher.offer(event)).isEqualTo(Offer.ACCEPTED);
    }
    drain(publisher);

    assertThat(arrived().get("weir.events k")).hasSize(20);
    assertThat(brokers.get("weir.events").wholeTopic())
        .allSatisfy(batch -> assertThat(batch.length).isLessThan(1 << 20));
  }

  @Test
  void interruptedFlush_whileFoldsFindNoRoom_throws() {
    EventPublisherSettings settings =
        EventPublisherSettings.of(PublisherRig.builder().queueCapacity(1).build())
            .fold(Duration.ofHours(1), Duration.ofHours(2));
    EventPublisher publisher =
        new EventPublisher(
            settings,
            (topic, name) -> {
              EventChannel channel = open(topic, name);
              channel.core().start();
              return channel;
            });
    for (String key : List.of("a", "b")) {
      publisher.offer(Event.newBuilder().setKey(key).setTimestampMs(1).build());
    }

    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> publisher.flush(Duration.ofMinutes(1)))
          .isInstanceOf(InterruptedException.class);
    } finally {
      assertThat(Thread.interrupted()).isFalse();
      publisher.close(Duration.ZERO);
    }
  }

  @Test
  void settingsThatDoNotFit_areRefused_withTheirName() {
    PublisherSettings settings = PublisherRig.builder().build();
    assertThatThrownBy(
            () -> EventPublisherSettings.of(settings).fold(Duration.ZERO, Duration.ofSeconds(1)))
        .hasMessageContaining("fold.quiet");
    assertThatThrownBy(
            () ->
                EventPublisherSettings.of(settings)
                    .fold(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessageContaining("fold.maxHold");
    assertThatThrownBy(() -> EventPublisherSettings.of(settings).topics(" ", "s"))
        .hasMessageContaining("eventsTopic");
  }

  @Test
  void eachTopic_hasADirectoryOfItsOwn() {
    publisher(PublisherRig.builder().keepIn(Path.of("/gone")).build())
        .offer(Event.newBuilder().setKey("k").setDueMs(5).build());

    assertThat(channels.get("weir.events").core().context().settings().keepIn())
        .hasValue(Path.of("/gone/events"));
    assertThat(channels.get("weir.scheduled").core().context().settings().keepIn())
        .hasValue(Path.of("/gone/scheduled"));
  }

  @Test
  void startThatFailsHalfway_leavesNoThreadAndNoLock(@TempDir Path directory) throws Exception {
    PublisherSettings settings =
        PublisherSettings.builder("half-way")
            .bootstrapServers("localhost:1")
            .keepIn(directory)
            .build();
    Path scheduled = Files.createFile(directory.resolve("scheduled"));
    EventPublisherSettings both = EventPublisherSettings.of(settings);
    assertThatThrownBy(() -> EventPublisher.start(both)).isInstanceOf(UncheckedIOException.class);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        // The thread that connects, and its admin client, end by themselves.
        .noneMatch(
            name -> name.startsWith("weir-publisher-half-way") && !name.endsWith("-connect"));
    Files.delete(scheduled);
    EventPublisher.start(both).close(Duration.ZERO);
  }
}
