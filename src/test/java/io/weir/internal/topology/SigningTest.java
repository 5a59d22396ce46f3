package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.wire.Tick;
import io.weir.reading.RedrivenParts;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who may publish: each refusal beside accepted batches of the same gateway. */
class SigningTest {
  private static final long T = 1_700_000_000_000L;
  private static final String A = sensor(0);
  private static final MasterKey OLD = master("old", 1, Long.MIN_VALUE, T + 60_000);
  private static final MasterKey NEW = master("new", 2, T + 30_000, Long.MAX_VALUE);
  private static final GatewayKey KEY = OLD.gatewayKey("g", 1);

  private WeirDriver weir = driver(SigningMode.REQUIRE);

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void signedBatch_counts() {
    send(T, batch(1), KEY);

    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void unsigned_isADeadLetter_thatNamesWhomItClaims_andUsesNoSequence() {
    weir.send(T, batch(1));

    DeadLetter deadLetter = only(RejectReason.UNSIGNED);
    assertThat(deadLetter.value()).isEqualTo(batch(1).toByteArray());
    assertThat(deadLetter.header(DeadLetterHeaders.GATEWAY)).isEqualTo("g");
    sequenceOneIsFree();
  }

  @Test
  void anothersSignature_isBad_andUsesNoSequence() {
    send(T, batch(1), OLD.gatewayKey("h", 1));

    only(RejectReason.BAD_SIGNATURE);
    sequenceOneIsFree();
  }

  @Test
  void keyOfAMasterThatNobodyKnows_isBad() {
    send(T, batch(1), master("old", 9, Long.MIN_VALUE, Long.MAX_VALUE).gatewayKey("g", 1));

    only(RejectReason.BAD_SIGNATURE);
    sequenceOneIsFree();
  }

  @Test
  void signatureForAnotherPartition_isBad() {
    byte[] value = batch(1).toByteArray();
    Headers headers = new RecordHeaders();
    BatchSigner.of(WeirDriver.READINGS, KEY).sign(1, value, headers);
    weir.send(T, key(), value, headers);

    only(RejectReason.BAD_SIGNATURE);
    sequenceOneIsFree();
  }

  @Test
  void keyAfterItsMastersTime_isExpired() {
    send(T + 60_000, batch(1), KEY);

    only(RejectReason.EXPIRED_KEY);
    assertThat(weir.counts().aggregated).isZero();
  }

  /** In a dead letter, a redrive would send again what was counted. */
  @Test
  void repeatSignedWithAnExpiredKey_isADuplicate() {
    send(T, batch(1), KEY);
    send(T + 60_000, batch(1), KEY);

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().duplicate).isEqualTo(1);
    send(T + 60_000, batch(2), KEY);
    assertThat(only(RejectReason.EXPIRED_KEY).header(DeadLetterHeaders.SEQUENCE)).isEqualTo("2");
    send(T + 60_000, batch(2).toBuilder().clearBootId().clearSequence().build(), KEY);
    only(RejectReason.INVALID_SEQUENCE);
  }

  @Test
  void rotation_losesNothing() {
    for (int i = 0; i < 9; i++) {
      long appendMs = T + i * 10_000;
      boolean changed = i > 3; // Both masters hold from 30 s to 60 s.
      send(appendMs, batch(i + 1), changed ? NEW.gatewayKey("g", 1) : KEY);
    }

    assertThat(weir.counts().aggregated).isEqualTo(9);
    assertThat(weir.deadLetters()).isEmpty();
  }

  /** A signature over the first id, and readings under the second. */
  @Test
  void twoGatewayIds_areBad() {
    byte[] first = ReadingBatch.newBuilder().setGatewayId("g").build().toByteArray();
    byte[] rest = sequenced("victim", T << 20, 1, reading(A, T, 1)).toByteArray();
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.writeBytes(rest);
    sendBytes(T, both.toByteArray(), KEY);

    only(RejectReason.BAD_SIGNATURE);
    sendBytes(T + 60_000, both.toByteArray(), KEY);
    only(RejectReason.BAD_SIGNATURE);
    both.reset();
    both.writeBytes(batch(1).toByteArray());
    both.writeBytes(first);
    sendBytes(T, both.toByteArray(), KEY);
    assertThat(weir.deadLetters())
        .extracting(deadLetter -> deadLetter.header(DeadLetterHeaders.REASON))
        .containsExactly(RejectReason.BAD_SIGNATURE.name());
    assertThat(weir.counts().aggregated).isZero();
  }

  @Test
  void signedWithoutSequence_isRefused_whereSignaturesAreRequired() {
    ReadingBatch bare =
        ReadingBatch.newBuilder().setGatewayId("g").addReadings(reading(A, T, 1)).build();
    send(T, bare, KEY);

    only(RejectReason.INVALID_SEQUENCE);
    assertThat(weir.counts().aggregated).isZero();
  }

  @Test
  void signedRedrive_needsNoSequence_andGatewaysCannotForgeIt() {
    ReadingBatch bare =
        ReadingBatch.newBuilder().setGatewayId("g").addReadings(reading(A, T, 1)).build();
    byte[] value = bare.toByteArray();
    Headers redriven = DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7));
    BatchSigner.of(WeirDriver.READINGS, KEY).sign(0, value, redriven);
    weir.send(T, key(), value, redriven);
    only(RejectReason.INVALID_SEQUENCE);

    Headers right = DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7));
    BatchSigner.ofRedrive(WeirDriver.READINGS, OLD).sign(0, value, right);
    weir.send(T, key(), value, right);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void copiesOfARedrivenPart_countOnce_afterARestartToo() {
    redrive(7, reading(A, T, 1));
    redrive(7, reading(A, T, 1));
    redrive(7, reading(A, T, 2)); // Another part of the same dead letter.
    redrive(6, reading(A, T, 1));
    weir.restart();
    for (int copy = 0; copy < 3; copy++) {
      redrive(7, reading(A, T, 1));
    }

    assertThat(weir.counts().aggregated).isEqualTo(3);
    assertThat(weir.counts().duplicate).isEqualTo(4);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void redrivenPart_behindThoseThatAreRemembered_isRefused_andNeverCountsTwice() {
    for (int letter = 0; letter <= RedrivenParts.MOST; letter++) {
      redrive(10 * letter, reading(A, T + letter, 1));
    }
    weir.restart();
    redrive(0, reading(A, T, 1));
    only(RejectReason.STALE_SEQUENCE);
    redrive(10, reading(A, T + 1, 1));
    redrive(11, reading(A, T + 1, 1));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().duplicate).isEqualTo(1);
    assertThat(weir.counts().aggregated).isEqualTo(RedrivenParts.MOST + 2);
  }

  @Test
  void garbage_isUnsigned_andSignedGarbageIsBad() {
    byte[] poison = "poison".getBytes(StandardCharsets.UTF_8);
    weir.send(T, key(), poison);
    only(RejectReason.UNSIGNED);
    sendBytes(T, poison, KEY);
    assertThat(only(RejectReason.BAD_SIGNATURE).value()).isEqualTo(poison);
  }

  @Test
  void recordWithoutValue_isUndecodable_andATickStaysATick() {
    weir.send(T, key(), null);
    only(RejectReason.UNDECODABLE);
    Headers tick = new RecordHeaders();
    Tick.mark(tick);
    weir.send(T + 1, null, Tick.value(), tick);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void verify_countsTheUnsigned_andRefusesTheWrong() {
    weir.close();
    weir = driver(SigningMode.VERIFY);
    weir.send(T, batch(1));
    send(T, batch(2), KEY);
    send(T, batch(3), OLD.gatewayKey("h", 1));

    only(RejectReason.BAD_SIGNATURE);
    assertThat(weir.counts().aggregated).isEqualTo(2);
    assertThat(weir.counts().unsigned).isEqualTo(1);
  }

  @Test
  void off_looksAtNoSignature() {
    weir.close();
    weir = driver(SigningMode.OFF);
    send(T, batch(1), OLD.gatewayKey("h", 1));

    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().unsigned).isZero();
  }

  private void sequenceOneIsFree() {
    assertThat(weir.counts().aggregated).isZero();
    send(T + 1, batch(1), KEY);
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().duplicate).isZero();
  }

  private DeadLetter only(RejectReason reason) {
    List<DeadLetter> deadLetters = weir.deadLetters();
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.get(0).header(DeadLetterHeaders.REASON)).isEqualTo(reason.name());
    assertThat(deadLetters.get(0).header("weir.signature")).isNull();
    return deadLetters.get(0);
  }

  private void send(long appendMs, ReadingBatch batch, GatewayKey key) {
    sendBytes(appendMs, batch.toByteArray(), key);
  }

  /** As a part of a dead letter, signed. */
  private void redrive(long letter, Reading reading) {
    byte[] value =
        ReadingBatch.newBuilder().setGatewayId("g").addReadings(reading).build().toByteArray();
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, letter));
    BatchSigner.ofRedrive(WeirDriver.READINGS, OLD).sign(0, value, headers);
    weir.send(T, key(), value, headers);
  }

  private void sendBytes(long appendMs, byte[] value, GatewayKey key) {
    Headers headers = new RecordHeaders();
    BatchSigner.of(WeirDriver.READINGS, key).sign(0, value, headers);
    weir.send(appendMs, key(), value, headers);
  }

  private static byte[] key() {
    return "g".getBytes(StandardCharsets.UTF_8);
  }

  private static ReadingBatch batch(long sequence) {
    return sequenced("g", T << 20, sequence, reading(A, T, 1));
  }

  private static MasterKey master(String id, int filler, long fromMs, long untilMs) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) filler);
    return new MasterKey(id, secret, fromMs, untilMs);
  }

  private static WeirDriver driver(SigningMode mode) {
    SigningPolicy policy = new SigningPolicy(mode, MasterKeys.of(List.of(OLD, NEW)));
    return new WeirDriver(Variant.of(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), policy));
  }
}
