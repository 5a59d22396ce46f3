package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.RulesText;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.permission.PermissionFile;
import io.weir.internal.permission.Permissions;
import io.weir.signing.BatchSigner;
import io.weir.signing.BatchVerifier;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SignatureCheck;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.topic.SensorPartition;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may send events and timers, and that Weir's own batches are accepted. */
class SignedEventsTest {
  private static final long T = 10_000_000;
  private static final FoldSpec FOLD = new FoldSpec(1_000, 60_000, 100, 1 << 20);
  private static final MasterKey MASTER =
      new MasterKey("m", new byte[32], Long.MIN_VALUE, Long.MAX_VALUE);
  private static final MasterKeys MASTERS = MasterKeys.of(List.of(MASTER));
  private static final GatewayKey KEY = MASTER.gatewayKey("g", 1);
  private static final String OWN = "weir/weir-events/0";

  private EventDriver weir = driver(SigningMode.REQUIRE, null);

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void signedBatch_isFolded_andUnsignedOnesAreDeadLetters_thatUseNoSequence() {
    for (String topic : List.of(EventDriver.EVENTS, EventDriver.SCHEDULED)) {
      weir.send(topic, batch("g", 1, event(topic)));
      only("UNSIGNED");
      send(topic, batch("g", 1, event(topic)), MASTER.gatewayKey("h", 1));
      only("BAD_SIGNATURE");
      send(topic, batch("g", 0, event(topic)).toBuilder().clearBootId().build(), KEY);
      only("INVALID_SEQUENCE");
      send(topic, batch("g", 1, event(topic)), KEY);
      assertThat(weir.deadLetters()).isEmpty();
    }

    weir.silence(2_000);
    assertThat(weir.folds()).hasSize(1);
    assertThat(weir.counts.duplicates).isZero();
  }

  @Test
  void signatureForAnotherTopic_isBad() {
    byte[] value = batch("g", 1, event(EventDriver.EVENTS)).toByteArray();
    Headers headers = new RecordHeaders();
    BatchSigner.of(EventDriver.SCHEDULED, KEY).sign(0, value, headers);
    weir.pipe(EventDriver.EVENTS, value, headers);
    only("BAD_SIGNATURE");
  }

  @Test
  void dueEvents_areSignedAndNumberedByTheScheduler_overRestarts() {
    for (int i = 1; i <= 3; i++) {
      Event due = event(EventDriver.SCHEDULED).toBuilder().setDueMs(weir.nowMs() + 500).build();
      send(EventDriver.SCHEDULED, batch("g", i, due), KEY);
      weir.silence(2_000);
      List<EventBatch> written = own(weir.read(EventDriver.EVENTS), EventDriver.EVENTS);
      assertThat(written).extracting(EventBatch::getSequence).containsExactly((long) i);
      assertThat(written).extracting(EventBatch::getGatewayId).containsExactly(OWN);
      assertThat(written).extracting(batch -> batch.getBootId() >> 20).containsExactly(T);
      assertThat(weir.folds()).hasSize(1);
      assertThat(weir.deadLetters()).isEmpty();
      weir.restart(1_000);
    }
  }

  @Test
  void alarms_areSignedAndNumberedForEachPartition_overRestarts() {
    Rules rules = RulesText.of(10_000, "{name: hot, sensors: '*', high: 95}");
    StatusPlan plan = new StatusPlan(false, 300_000, rules, 10_000, GroupTemplate.DEFAULT);
    SigningPolicy policy = new SigningPolicy(SigningMode.OFF, MASTERS);
    WeirDriver run =
        new WeirDriver(
            Variant.of(Variant.of(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), plan), policy));
    String events = EventDriver.EVENTS;
    List<EventBatch> written = new ArrayList<>();
    try (run) {
      long nowMs = 1_000_000;
      for (int value : new int[] {96, 10, 96, 10, 96, 10, 10}) {
        run.send(
            nowMs,
            ReadingBatch.newBuilder()
                .addReadings(Batches.reading(Batches.sensor(0), nowMs + 6_000, value))
                .build());
        nowMs += 10_000;
        written.addAll(own(run.read(events), events));
        run.restart();
      }
    }

    assertThat(written).hasSizeGreaterThan(4);
    for (int i = 0; i < written.size(); i++) {
      assertThat(written.get(i).getSequence()).isEqualTo(i + 1);
      assertThat(written.get(i).getGatewayId()).isEqualTo("weir/weir/0");
      assertThat(written.get(i).getBootId()).isEqualTo(written.get(0).getBootId()).isPositive();
    }
  }

  @Test
  void nobodyElse_speaksForWeir() {
    weir.close();
    weir = driver(SigningMode.VERIFY, null);
    weir.send(EventDriver.EVENTS, batch(OWN, 1, event(EventDriver.EVENTS)));
    only("UNSIGNED");
    send(EventDriver.EVENTS, batch(OWN, 1, event(EventDriver.EVENTS)), KEY);
    only("BAD_SIGNATURE");
    weir.send(EventDriver.EVENTS, batch("g", 1, event(EventDriver.EVENTS)));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts.unsigned).isEqualTo(1);
  }

  @Test
  void keysOfEvents_areThoseOfTheFile_andWeirMayPublishAll() {
    weir.close();
    String other = EventDriver.keys(2).get(1);
    weir =
        driver(
            SigningMode.REQUIRE,
            PermissionFile.parse(
                "gateways.yaml",
                "gateways: [{gateway: g, keys: ['"
                    + EventDriver.KEY
                    + "']}, {gateway: s, sensors: ['*']}, {gateway: r, revoked: true},"
                    + " {gateway: '*', keys: ['none']}]",
                true));
    Event own = event(EventDriver.SCHEDULED).toBuilder().setDueMs(T - 1).build();
    send(EventDriver.SCHEDULED, batch("g", 1, own, own.toBuilder().setKey(other).build()), KEY);
    DeadLetter deadLetter = only("NOT_ITS_KEY");
    assertThat(deadLetter.header(DeadLetterHeaders.GATEWAY)).isEqualTo("g");
    send(EventDriver.EVENTS, batch("s", 1, event("")), MASTER.gatewayKey("s", 1));
    only("NOT_ITS_KEY");
    send(EventDriver.EVENTS, batch("r", 1, event("")), MASTER.gatewayKey("r", 1));
    only("REVOKED");

    weir.silence(2_000);
    assertThat(weir.folds()).hasSize(1);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void signedRedrive_needsNoSequence_andItsCopiesCountOnce_overRestarts() {
    for (int copy = 0; copy < 3; copy++) {
      weir.restart(10);
      byte[] value = EventBatch.newBuilder().addEvents(event("")).build().toByteArray();
      Headers headers = DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7));
      BatchSigner.ofRedrive(EventDriver.EVENTS, MASTER).sign(0, value, headers);
      weir.pipe(EventDriver.EVENTS, value, headers);
      assertThat(weir.deadLetters()).isEmpty();
    }
    weir.silence(2_000);

    assertThat(weir.folds()).extracting(fold -> fold.message().getEventCount()).containsExactly(1L);
    assertThat(weir.counts.duplicates).isEqualTo(2);
  }

  /** Batches that Weir wrote, whose signatures are right. */
  private static List<EventBatch> own(List<TestRecord<byte[], byte[]>> records, String topic) {
    BatchVerifier verifier = new BatchVerifier(topic, MASTERS);
    return records.stream()
        .map(
            record -> {
              EventBatch batch = Batches.parsed(record.value());
              assertThat(
                      verifier
                          .check(
                              SensorPartition.of(batch.getEvents(0).getKey()),
                              record.value(),
                              record.headers(),
                              T)
                          .outcome())
                  .isEqualTo(SignatureCheck.Outcome.GATEWAY);
              return batch;
            })
        .toList();
  }

  private DeadLetter only(String reason) {
    List<DeadLetter> deadLetters = weir.deadLetters();
    assertThat(deadLetters)
        .extracting(deadLetter -> deadLetter.header(DeadLetterHeaders.REASON))
        .containsExactly(reason);
    return deadLetters.get(0);
  }

  private void send(String topic, EventBatch batch, GatewayKey key) {
    Headers headers = new RecordHeaders();
    byte[] value = batch.toByteArray();
    BatchSigner.of(topic, key).sign(0, value, headers);
    weir.pipe(topic, value, headers);
  }

  private static EventBatch batch(String gateway, long sequence, Event... events) {
    return EventBatch.newBuilder()
        .setGatewayId(gateway)
        .setBootId(T << 20)
        .setSequence(sequence)
        .addAllEvents(List.of(events))
        .build();
  }

  private static Event event(String topic) {
    Event.Builder event = Event.newBuilder().setKey(EventDriver.KEY).setTimestampMs(T);
    return topic.equals(EventDriver.SCHEDULED)
        ? event.setDueMs(T + 86_400_000).build()
        : event.build();
  }

  private static EventDriver driver(SigningMode mode, Permissions permissions) {
    return new EventDriver(
        FOLD,
        new SenderRules(
            new SigningPolicy(mode, MASTERS),
            Optional.ofNullable(permissions).map(now -> () -> now)));
  }
}
