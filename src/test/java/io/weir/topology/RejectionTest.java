package io.weir.topology;

import static io.weir.topology.Batches.batch;
import static io.weir.topology.Batches.reading;
import static io.weir.topology.Batches.sensor;
import static io.weir.topology.Batches.sequenced;
import static io.weir.topology.Batches.series;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import io.weir.window.WindowLimits;
import io.weir.wire.ResetMark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused, row by row; each time beside a good reading of the same batch, which counts. */
class RejectionTest {
  private static final long T = 1_700_000_000_000L;
  private static final String A = sensor(0);
  private static final Reading GOOD = reading(A, T, 1);

  /** A hundred sensors, two of them a gateway's, and three windows a batch. */
  private static final WindowLimits FEW = new WindowLimits(100, 2, 3);

  private WeirDriver weir = new WeirDriver(WeirDriver.SPEC);

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void undecodable_isKeptAsReceivedWithItsOrigin() {
    byte[] poison = "poison".getBytes(StandardCharsets.UTF_8);
    weir.send(T, new byte[] {1, 2}, poison);

    DeadLetter letter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(letter.key()).containsExactly(1, 2);
    assertThat(letter.value()).isEqualTo(poison);
    assertThat(letter.header(DeadLetterHeaders.TOPIC)).isEqualTo(WeirDriver.READINGS);
    assertThat(letter.header(DeadLetterHeaders.PARTITION)).isEqualTo("0");
    assertThat(letter.header(DeadLetterHeaders.OFFSET)).isEqualTo("0");
    assertThat(letter.header(DeadLetterHeaders.MESSAGE)).isNotBlank();
    assertThat(letter.header(DeadLetterHeaders.EXCEPTION)).contains("Undecodable");
    assertThat(weir.counts().undecodable).isEqualTo(1);
    assertThat(weir.counts().rejected).isZero();
  }

  @Test
  void recordWithoutValue_isUndecodable() {
    weir.send(T, null, null);

    assertThat(refusedWhole(RejectReason.UNDECODABLE).value()).isNull();
  }

  @Test
  void recordOverTheLimit_isCutToFit_andSaysHowLargeItWas() {
    byte[] huge = new byte[3 << 20];
    weir.send(T, new byte[2 << 20], huge);

    DeadLetter letter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(letter.key().length + letter.value().length).isLessThan(1 << 20);
    assertThat(letter.header(DeadLetterHeaders.SIZE)).isEqualTo(String.valueOf(5 << 20));
  }

  @Test
  void gatewayThatWasFencedForEver_goesOnAfterItsReset() {
    Orders orders = new Orders();
    orders.reset("another");
    useOrders(orders);
    for (long boot = 11; boot <= 15; boot++) {
      weir.send(T, sequenced("g", boot, 1, GOOD));
    }
    weir.send(T, sequenced("g", 7, 1, GOOD));
    assertThat(refusedWhole(RejectReason.FENCED)).isNotNull();

    weir.reset(T, orders.mark(orders.reset("g")));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(6);
    assertThat(weir.counts().gatewayResets).isEqualTo(1);
    assertThat(weir.changelogEntries('G')).isEqualTo(1);
  }

  /** Whoever copies a mark would make batches count twice. */
  @Test
  void copyOfAMark_resetsNothing_beforeAndAfterARestart() {
    Orders orders = new Orders();
    useOrders(orders);
    int order = orders.reset("g");
    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.restart();
    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    assertThat(weir.counts().duplicate).isEqualTo(2);
    assertThat(weir.counts().gatewayResets).isEqualTo(1);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void resetThatNobodyOrdered_isADeadLetter_andClearsNothing() {
    Orders orders = new Orders();
    useOrders(orders);
    orders.reset("g");
    weir.send(T, sequenced("g", 7, 1, GOOD));

    weir.reset(T, new ResetMark(0, 1, 2));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET).header(ResetMark.HEADER)).isNull();
    weir.reset(T, new ResetMark(Long.MAX_VALUE, 0, 0));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET)).isNotNull();
    weir.send(
        T,
        null,
        new byte[0],
        new RecordHeaders().add(ResetMark.HEADER, "short".getBytes(StandardCharsets.UTF_8)));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET)).isNotNull();

    weir.send(T, sequenced("g", 7, 1, GOOD));
    assertThat(weir.counts().duplicate).isEqualTo(1);
    assertThat(weir.counts().gatewayResets).isZero();
  }

  private void useOrders(Orders orders) {
    weir.close();
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), orders);
  }

  /** A forged gateway or size would steer a redrive, or hide the dead letter from it. */
  @Test
  void headersInOurNames_areTakenFromNoSender() {
    RecordHeaders headers = new RecordHeaders();
    for (String name :
        new String[] {
          DeadLetterHeaders.GATEWAY,
          DeadLetterHeaders.SIZE,
          DeadLetterHeaders.BOOT_ID,
          DeadLetterHeaders.SEQUENCE,
          DeadLetterHeaders.REDRIVE_TOPIC,
          DeadLetterHeaders.REDRIVE_OFFSET,
          DeadLetterHeaders.OFFSET,
          "weir.anything"
        }) {
      headers.add(name, "a forged one\n".getBytes(StandardCharsets.UTF_8));
    }
    headers.add("traceparent", new byte[] {7});
    weir.send(T, null, new byte[] {1}, headers);

    DeadLetter letter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(letter.headers())
        .extracting(org.apache.kafka.common.header.Header::key)
        .containsExactlyInAnyOrder(
            "traceparent",
            DeadLetterHeaders.TOPIC,
            DeadLetterHeaders.PARTITION,
            DeadLetterHeaders.OFFSET,
            DeadLetterHeaders.EXCEPTION,
            DeadLetterHeaders.MESSAGE,
            DeadLetterHeaders.REASON);
    assertThat(letter.header(DeadLetterHeaders.OFFSET)).isEqualTo("0");
  }

  @Test
  void hugeHeaders_areLeftBehind() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("huge", new byte[2 << 20]);
    headers.add(DeadLetterHeaders.REASON, "forged".getBytes(StandardCharsets.UTF_8));
    weir.send(T, null, new byte[] {1}, headers);

    assertThat(refusedWhole(RejectReason.UNDECODABLE).headers().lastHeader("huge")).isNull();
  }

  @Test
  void moreReadingsThanAllowed_isUndecodable() {
    Reading[] many = new Reading[10_001];
    Arrays.fill(many, reading(A, T, 1));
    weir.send(T, batch(many));
    refusedWhole(RejectReason.UNDECODABLE);

    weir.send(T, batch(Arrays.copyOf(many, 10_000)));
    assertThat(weir.counts().aggregated).isEqualTo(10_000);
  }

  @Test
  void idThatIsNotUtf8_isUndecodable() {
    byte[] bytes = batch(reading("abcd", T, 1)).toByteArray();
    bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("abcd")] = (byte) 0xff;
    weir.send(T, null, bytes);

    refusedWhole(RejectReason.UNDECODABLE);
  }

  @Test
  void nestedGroups_withoutEnd_areUndecodable() {
    byte[] deep = new byte[900_000];
    Arrays.fill(deep, (byte) (15 << 3 | 3));
    weir.send(T, null, deep);

    refusedWhole(RejectReason.UNDECODABLE);
  }

  @Test
  void frame_ofTheFirstMessage_isDecodedInBothForms() {
    byte[] payload = batch(GOOD).toByteArray();
    weir.send(T, null, frame(payload, 0));
    weir.send(T, null, frame(payload, 2, 0));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void frame_ofAnotherMessage_isUnknownSchema() {
    weir.send(T, null, frame(batch(GOOD).toByteArray(), 2, 2));

    refusedWhole(RejectReason.UNKNOWN_SCHEMA);
  }

  @Test
  void frame_thatBreaksOff_isUndecodable() {
    weir.send(T, null, new byte[] {0, 0, 0, 0, 1});

    refusedWhole(RejectReason.UNDECODABLE);
  }

  private static byte[] frame(byte[] payload, int... indexes) {
    ByteBuffer frame = ByteBuffer.allocate(5 + indexes.length + payload.length);
    frame.put((byte) 0).putInt(77);
    for (int index : indexes) {
      frame.put((byte) index);
    }
    return frame.put(payload).array();
  }

  @Test
  void emptyBatch_isABatchOfNothing() {
    weir.send(T, null, new byte[0]);

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().readings).isZero();
  }

  @Test
  void gatewayIdMissingOrTooLong_withABootId_isInvalidGateway() {
    weir.send(T, sequenced("", 7, 1, GOOD));
    assertThat(refusedWhole(RejectReason.INVALID_GATEWAY).readings()).isEqualTo(1);
    weir.send(T, sequenced("g".repeat(257), 7, 1, GOOD));
    refusedWhole(RejectReason.INVALID_GATEWAY);

    weir.send(T, sequenced("é".repeat(128), 7, 1, GOOD));
    weir.send(T, batch(GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
    assertThat(weir.counts().rejected).isEqualTo(2);
  }

  @Test
  void sequenceMissingOrTooLargeOrFarAhead_isInvalidSequence() {
    weir.send(T, sequenced("g", 7, 0, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 7, -1, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", Long.MIN_VALUE, 1, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 0, Long.MIN_VALUE, GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);

    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T, sequenced("g", 7, 2 + (1 << 20), GOOD));
    refusedWhole(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", 7, 1 + (1 << 20), GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void repeat_isCountedAndNothingElse() {
    ReadingBatch first = sequenced("g", 7, 1, GOOD, reading(A, T, Double.NaN));
    weir.send(T, first);
    weir.deadLetters();
    weir.send(T, first);
    weir.restart();
    weir.send(T, first);

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().duplicate).isEqualTo(4);
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().rejected).isEqualTo(1);
  }

  @Test
  void skippedBatch_isLostUntilItComes() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.send(T, sequenced("g", 7, 4, GOOD));
    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isEqualTo(2);

    weir.send(T, sequenced("g", 7, 2, GOOD));
    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isEqualTo(1);
    assertThat(weir.counts().duplicate).isZero();
  }

  @Test
  void sequenceBelowTheRemembered_isStale() {
    weir.send(T, sequenced("g", 7, 2_000, GOOD));
    weir.send(T, sequenced("g", 7, 2_000 - 1_024, GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(2);
    weir.send(T, sequenced("g", 7, 2_000 - 1_025, GOOD));

    refusedWhole(RejectReason.STALE_SEQUENCE);
  }

  @Test
  void fifthBoot_fencesTheOldest() {
    for (long boot = 1; boot <= 5; boot++) {
      weir.send(T, sequenced("g", boot, 1, GOOD));
    }
    weir.restart();
    weir.send(T, sequenced("g", 1, 2, GOOD));
    refusedWhole(RejectReason.FENCED);
    weir.send(T, sequenced("g", 2, 2, GOOD));

    assertThat(weir.counts().aggregated).isEqualTo(6);
  }

  /** Ten minutes here: what it sent before does not count again, and its boot goes on. */
  @Test
  void gateway_silentForItsTtl_isAMark() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.silence(599_000);
    weir.send(T + 599_000, sequenced("g", 7, 1, GOOD));
    assertThat(weir.counts().duplicate).isEqualTo(1);
    weir.silence(1_000);
    weir.windows();
    weir.send(T + 600_000, sequenced("g", 7, 1, GOOD));
    refusedWhole(RejectReason.STALE_SEQUENCE);
    weir.send(T + 600_000, sequenced("g", 7, 2, GOOD));

    weir.silence(1_000);
    assertThat(weir.counts().lostBatches).isZero();
    assertThat(weir.counts().lostForGood).isZero();
  }

  @Test
  void gatewaysBeyondTheCap_areDeadLetters_andKnownOnesGoOn() {
    for (int i = 0; i <= 50; i++) {
      weir.send(T, sequenced("g" + i, 7, 1, GOOD));
    }
    refusedWhole(RejectReason.TOO_MANY_GATEWAYS);
    weir.restart();
    weir.send(T, sequenced("g0", 7, 2, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(51);
  }

  @Test
  void sensorsBeyondWhatAGatewayMaySend_areDeadLetters_alsoAfterARestart() {
    Reading one = reading(sensor(1), T, 1);
    Reading two = reading(sensor(2), T, 1);
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20, WeirDriver.GATEWAYS, FEW));
    weir.send(T, sequenced("g", 7, 1, GOOD, one));
    weir.restart();
    weir.send(T, sequenced("g", 7, 2, GOOD, two));
    assertThat(rejected(RejectReason.TOO_MANY_SENSORS)).containsExactly(two);
    weir.silence(1_000);
    assertThat(weir.counts().sensorsOfOneGatewayUsed).isEqualTo(1.0);
    weir.send(T, sequenced("other", 7, 1, two));
    weir.send(T, sequenced("g", 7, 3, one, two));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(6);
  }

  @Test
  void batchThatOpensTooManyWindows_isRefusedWhole_andChangesNothing() {
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20, WeirDriver.GATEWAYS, FEW));
    Reading[] readings = new Reading[4];
    for (int i = 0; i < readings.length; i++) {
      readings[i] = reading(A, T - i * 10_000L, 1);
    }
    weir.send(T, sequenced("g", 7, 1, readings));
    refusedWhole(RejectReason.TOO_MANY_WINDOWS);
    weir.send(T, sequenced("g", 7, 1, Arrays.copyOf(readings, 3)));

    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  /** A boot id near 2^63 would fence the gateway's own for ever. */
  @Test
  void bootOfTheFuture_isRefusedWhole() {
    weir.send(T, sequenced("g", (T + 300_001) << 20, 1, GOOD));

    refusedWhole(RejectReason.FUTURE_BOOT);
    weir.send(T, sequenced("g", (T + 300_000) << 20, 1, GOOD));
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void refusedBatch_changesNothing() {
    weir.send(T, sequenced("g", 7, 1, GOOD));
    int before = weir.changelogEntries();
    weir.send(T, sequenced("", 7, 9, reading(sensor(1), T, 1)));
    weir.send(T, sequenced("g", 7, 0, reading(sensor(2), T, 1)));

    assertThat(weir.changelogEntries()).isEqualTo(before);
  }

  @Test
  void sensorIdMissingOrTooLong_isRejectedAlone() {
    weir.send(T, batch(GOOD, reading("", T, 1), reading("x".repeat(257), T, 1)));

    assertThat(rejected(RejectReason.MISSING_SENSOR_ID)).containsExactly(reading("", T, 1));
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().rejected).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void valueThatIsNoNumber_isRejectedAlone(double value) {
    weir.send(T, batch(GOOD, reading(A, -5, value)));

    assertThat(rejected(RejectReason.INVALID_VALUE)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void timestampNotPositive_isRejectedAlone(long timestampMs) {
    weir.send(T, batch(GOOD, reading(A, timestampMs, 1)));

    assertThat(rejected(RejectReason.INVALID_TIMESTAMP)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {T + 300_001, Long.MAX_VALUE})
  void timestampBeyondTheSkew_isRejectedAlone(long timestampMs) {
    weir.send(T, batch(reading(A, T + 300_000, 1), reading(A, timestampMs, 1)));

    assertThat(rejected(RejectReason.FUTURE_TIMESTAMP)).hasSize(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void sensorOfAnotherPartition_isMisrouted() {
    String elsewhere = "temp-0091";
    assertThat(SensorPartition.of(elsewhere)).isNotZero();
    weir.send(T, batch(GOOD, reading(elsewhere, T, 1), reading("", T, 1)));

    assertThat(weir.deadLetters())
        .extracting(DeadLetter::reason)
        .containsExactly(RejectReason.MISSING_SENSOR_ID, RejectReason.MISROUTED);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void seriesWhoseLengthsDisagree_isRejectedAsItStands() {
    Series broken = series(A, T, new long[] {0, 1}, 1, 2, 3);
    Series sound = series(A, T, new long[] {0, 1}, 1, 2);
    weir.send(T, ReadingBatch.newBuilder().addSeries(broken).addSeries(sound).build());

    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.reason()).isEqualTo(RejectReason.INVALID_TIMESTAMP);
    assertThat(letter.batch().getSeriesList()).containsExactly(broken);
    assertThat(weir.counts().rejected).isEqualTo(3);
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void seriesWhoseDeltasOverflow_isRejectedAsItStands() {
    Series broken = series(A, Long.MAX_VALUE, new long[] {0, 1}, 1, 2);
    weir.send(T, ReadingBatch.newBuilder().addSeries(broken).addReadings(GOOD).build());

    assertThat(only(weir.deadLetters()).batch().getSeriesList()).containsExactly(broken);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void rejectedReadings_keepFormKeyAndGateway_butNotTheSequence() {
    Series series = series(A, T, new long[] {0, 10, 10}, 1, Double.NaN, 3);
    ReadingBatch sent = sequenced("gw-1", 5, 3, GOOD).toBuilder().addSeries(series).build();
    weir.send(T, new byte[] {9}, sent.toByteArray());

    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.key()).containsExactly(9);
    assertThat(letter.header(DeadLetterHeaders.GATEWAY)).isEqualTo("gw-1");
    assertThat(letter.header(DeadLetterHeaders.BOOT_ID)).isEqualTo("5");
    assertThat(letter.header(DeadLetterHeaders.SEQUENCE)).isEqualTo("3");
    assertThat(letter.batch().getGatewayId()).isEqualTo("gw-1");
    assertThat(letter.batch().getBootId()).isZero();
    assertThat(letter.batch().getSequence()).isZero();
    Series rejected = only(letter.batch().getSeriesList());
    assertThat(rejected.getStartTimestampMs() + rejected.getTimestampDeltaMs(0)).isEqualTo(T + 10);
    assertThat(rejected.getValueList()).containsExactly(Double.NaN);
    assertThat(weir.counts().aggregated).isEqualTo(3);
  }

  @Test
  void rejectedReadings_thatFitNoSingleRecord_areSplit() {
    try (WeirDriver small = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 4_000))) {
      Series.Builder series = Series.newBuilder().setSensorId(A);
      for (int i = 0; i < 1_000; i++) {
        series.addTimestampDeltaMs(i).addValue(i);
      }
      series.setStartTimestampMs(T + 400_000);
      ReadingBatch.Builder sent = ReadingBatch.newBuilder().addSeries(series);
      for (int i = 0; i < 500; i++) {
        sent.addReadings(reading(A, T + 400_000, i));
      }
      small.send(T, sent.build());

      List<DeadLetter> letters = small.deadLetters();
      assertThat(letters).hasSizeGreaterThan(5);
      assertThat(letters).allMatch(letter -> letter.value().length < 4_000);
      assertThat(letters.stream().mapToInt(DeadLetter::readings).sum()).isEqualTo(1_500);
    }
  }

  @Test
  void unknownQuality_countsAsUncertain() {
    weir.send(T, batch(GOOD.toBuilder().setQualityValue(77).build()));
    weir.send(T, batch(reading(A, T + 60_000, 1)));

    assertThat(only(weir.windows()).getCount()).isEqualTo(1);
  }

  @Test
  void unknownFields_areKeptInTheDeadLetter() {
    ByteString extra = ByteString.copyFromUtf8("later");
    Reading odd =
        reading(A, 0, 1).toBuilder()
            .setUnknownFields(
                com.google.protobuf.UnknownFieldSet.newBuilder()
                    .addField(
                        99,
                        com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(extra)
                            .build())
                    .build())
            .build();
    weir.send(T, batch(GOOD, odd));

    assertThat(rejected(RejectReason.INVALID_TIMESTAMP)).containsExactly(odd);
  }

  private DeadLetter refusedWhole(RejectReason reason) {
    DeadLetter letter = only(weir.deadLetters());
    assertThat(letter.reason()).isEqualTo(reason);
    assertThat(weir.windows()).isEmpty();
    return letter;
  }

  private List<Reading> rejected(RejectReason reason) {
    return weir.deadLetters().stream()
        .filter(letter -> letter.reason() == reason)
        .flatMap(letter -> letter.batch().getReadingsList().stream())
        .toList();
  }

  private static <X> X only(List<X> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}
