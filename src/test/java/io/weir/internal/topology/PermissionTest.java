package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.permission.PermissionFile;
import io.weir.internal.permission.Permissions;
import io.weir.reading.IgnoredAttestation;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SigningMode;
import io.weir.signing.SigningPolicy;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which gateway may publish which sensors: each refusal beside accepted readings. */
class PermissionTest {
  private static final long T = 1_700_000_000_000L;
  private static final String A = sensor(0);
  private static final String B = sensor(1);
  private static final Permissions OWN =
      permissions("{gateway: g, sensors: ['" + A + "']}, {gateway: h, sensors: ['" + B + "']}");

  private WeirDriver weir = driver(OWN);

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void readingOfAnothersSensor_isADeadLetter_itsNeighboursCount_andTheSequenceIsUsed() {
    ReadingBatch batch = sequenced("g", T << 20, 1, reading(A, T, 1), reading(B, T, 2));
    weir.send(T, batch);

    DeadLetter deadLetter = only(RejectReason.NOT_ITS_SENSOR);
    assertThat(deadLetter.batch().getReadingsList()).containsExactly(reading(B, T, 2));
    assertThat(deadLetter.header(DeadLetterHeaders.GATEWAY)).isEqualTo("g");
    assertThat(deadLetter.header(DeadLetterHeaders.SEQUENCE)).isEqualTo("1");
    assertThat(deadLetter.batch().getSequence()).isZero();
    weir.send(T, batch);
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().duplicate).isEqualTo(2);
  }

  /** The sensor's own gateway has made it known: it is recognised, and not asked for its place. */
  @Test
  void sensorThatIsKnown_isHeldAgainstTheFileToo_inBothForms() {
    weir.send(T, sequenced("h", T << 20, 1, reading(B, T, 1)));
    weir.send(T, sequenced("g", T << 20, 1, reading(B, T, 2)));
    only(RejectReason.NOT_ITS_SENSOR);
    weir.send(
        T,
        ReadingBatch.newBuilder()
            .setGatewayId("g")
            .addSeries(Batches.series(B, T, new long[] {0, 1, 2}, 1, 2, 3))
            .build());

    assertThat(only(RejectReason.NOT_ITS_SENSOR).batch().getSeriesCount()).isEqualTo(1);
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void gatewayThatIsNotInTheFile_isRefusedWhole_takesNoPlace_andUsesNoSequence() {
    ReadingBatch batch = sequenced("x", T << 20, 1, reading(A, T, 1));
    weir.send(T, batch);

    assertThat(only(RejectReason.NOT_ITS_SENSOR).batch()).isEqualTo(batch);
    assertThat(weir.changelogEntries('G')).isZero();
    weir.permit(permissions("{gateway: x, sensors: ['*']}"));
    weir.send(T, batch);
    assertThat(weir.counts().aggregated).isEqualTo(1);
    assertThat(weir.counts().duplicate).isZero();
  }

  @Test
  void batchWithoutGateway_isRefusedWhole() {
    weir.permit(permissions("{gateway: '*', sensors: ['*']}"));
    weir.send(T, ReadingBatch.newBuilder().addReadings(reading(A, T, 1)).build());
    only(RejectReason.NOT_ITS_SENSOR);
    weir.send(T, sequenced("", T << 20, 1, reading(A, T, 1)));
    only(RejectReason.INVALID_GATEWAY);
  }

  @Test
  void revokedGateway_isRefusedWhole_butForWhatWasCountedBefore() {
    weir.send(T, sequenced("g", T << 20, 1, reading(A, T, 1)));
    weir.permit(permissions("{gateway: g, revoked: true}"));
    weir.send(T, sequenced("g", T << 20, 1, reading(A, T, 1)));
    weir.permit(permissions("{gateway: h, sensors: ['*']}"));
    weir.send(T, sequenced("g", T << 20, 1, reading(A, T, 1)));
    assertThat(weir.counts().duplicate).isEqualTo(2);
    weir.permit(permissions("{gateway: g, revoked: true}"));
    weir.send(T, sequenced("g", T << 20, -1, reading(A, T, 1)));
    only(RejectReason.INVALID_SEQUENCE);
    weir.send(T, sequenced("g", T << 20, 2, reading(A, T, 1)));
    only(RejectReason.REVOKED);
    weir.permit(OWN);
    weir.send(T, sequenced("g", T << 20, 2, reading(A, T, 1)));
    assertThat(weir.counts().aggregated).isEqualTo(2);
  }

  @Test
  void bootBelowTheLowest_isRevoked_andSoIsABatchWithoutOne() {
    weir.permit(permissions("{gateway: g, sensors: ['*'], lowest-boot: '2023-11-14T22:13:20Z'}"));
    weir.send(T, sequenced("g", (T << 20) - 1, 1, reading(A, T, 1)));
    only(RejectReason.REVOKED);
    weir.send(T, ReadingBatch.newBuilder().setGatewayId("g").addReadings(reading(A, T, 1)).build());
    only(RejectReason.REVOKED);
    weir.send(T, sequenced("g", T << 20, 1, reading(A, T, 1)));
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  /** What a redrive sends: the readings as their gateway's, without boot id and sequence. */
  @Test
  void redrivenDeadLetter_isRefusedAgain_andCountsOnceTheFileAllowsIt() {
    weir.send(T, sequenced("g", T << 20, 1, reading(B, T, 2)));
    byte[] deadLetter = only(RejectReason.NOT_ITS_SENSOR).value();
    redrive(deadLetter);
    DeadLetter again = only(RejectReason.NOT_ITS_SENSOR);
    assertThat(again.header(DeadLetterHeaders.REDRIVE_TOPIC)).isEqualTo(WeirDriver.DEAD_LETTERS);

    weir.permit(permissions("{gateway: g, sensors: ['" + B + "'], lowest-boot: 5}"));
    redrive(deadLetter);
    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  @Test
  void attestationForAnothersSensor_isIgnored() {
    weir.send(T, sequenced("h", T << 20, 1, reading(B, T, 1)));
    weir.send(
        T,
        sequenced("g", T << 20, 1, reading(A, T, 1)).toBuilder()
            .addComplete(entry(A, T + 10_000))
            .addComplete(entry(B, T + 10_000))
            .build());

    assertThat(weir.windows()).extracting(window -> window.getSensorId()).containsExactly(A);
    assertThat(weir.counts().attestationsIgnored)
        .isEqualTo(Map.of(IgnoredAttestation.NOT_ITS_SENSOR, 1));
    assertThat(weir.deadLetters()).isEmpty();
  }

  /** The next generation replaces a stolen key; other gateways go on. */
  @Test
  void keyBelowTheLowestGeneration_isRevoked_othersAreUntouched() {
    weir.close();
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 7);
    MasterKey master = new MasterKey("m", secret, Long.MIN_VALUE, Long.MAX_VALUE);
    weir =
        new WeirDriver(
            WeirDriver.settings(
                new SigningPolicy(SigningMode.VERIFY, MasterKeys.of(List.of(master)))));
    weir.restart(
        PermissionFile.parse(
            "g.yaml",
            "gateways: [{gateway: g, sensors: ['*'], lowest-generation: 2},"
                + " {gateway: h, sensors: ['*']}]",
            true));
    Reading one = reading(A, T, 1);
    signed(sequenced("g", T << 20, 1, one), master.gatewayKey("g", 1));
    only(RejectReason.REVOKED);
    weir.send(T, sequenced("g", T << 20, 1, one));
    only(RejectReason.REVOKED);
    signed(sequenced("g", T << 20, 1, one), master.gatewayKey("g", 2));
    signed(sequenced("h", T << 20, 1, one), master.gatewayKey("h", 1));
    weir.send(T, sequenced("h", T << 20, 2, one));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(3);
    assertThat(weir.counts().unsigned).isEqualTo(2);
  }

  /** Of several signatures that are right the newest counts, whichever comes first. */
  @Test
  void signaturesOfTwoGenerations_areOfTheNewer() {
    startSigned("lowest-generation: 2");
    byte[] value = sequenced("g", T << 20, 1, reading(A, T, 1)).toByteArray();
    for (int[] order : new int[][] {{1, 2}, {2, 1}}) {
      StringBuilder text = new StringBuilder();
      for (int generation : order) {
        Headers one = new RecordHeaders();
        BatchSigner.of(WeirDriver.READINGS, masterOfSevens().gatewayKey("g", generation))
            .sign(0, value, one);
        String signature =
            new String(one.lastHeader("weir.signature").value(), StandardCharsets.US_ASCII);
        text.append(text.isEmpty() ? "" : " ").append(signature);
      }
      Headers both = new RecordHeaders();
      both.add("weir.signature", text.toString().getBytes(StandardCharsets.US_ASCII));
      weir.send(T, new byte[0], value, both);
      assertThat(weir.deadLetters()).isEmpty();
    }
    assertThat(weir.counts().aggregated).isEqualTo(1);
  }

  /**
   * A header that nobody has signed says nothing of a stolen key, or of a boot that is not named.
   */
  @Test
  void forgedHeaderOfARedrive_passesNoBound() {
    for (String bound : List.of("lowest-generation: 2", "lowest-boot: '2023-11-14T22:13:20Z'")) {
      startSigned(bound);
      byte[] value =
          ReadingBatch.newBuilder()
              .setGatewayId("g")
              .addReadings(reading(A, T, 1))
              .build()
              .toByteArray();
      Headers forged = new RecordHeaders();
      forged.add(DeadLetterHeaders.REDRIVE_TOPIC, new byte[0]);
      weir.send(T, new byte[0], value, forged);
      only(RejectReason.REVOKED);

      Headers right = DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7));
      BatchSigner.ofRedrive(WeirDriver.READINGS, masterOfSevens()).sign(0, value, right);
      weir.send(T, new byte[0], value, right);
      assertThat(weir.counts().aggregated).isEqualTo(1);
    }
  }

  private void startSigned(String bound) {
    weir.close();
    weir =
        new WeirDriver(
            WeirDriver.settings(
                new SigningPolicy(SigningMode.VERIFY, MasterKeys.of(List.of(masterOfSevens())))));
    String file = "gateways: [{gateway: g, sensors: ['*'], " + bound + "}]";
    weir.restart(PermissionFile.parse("g.yaml", file, true));
  }

  private static MasterKey masterOfSevens() {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 7);
    return new MasterKey("m", secret, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Test
  void ticksAndMarksOfResets_areNobodys() {
    weir.tick(T);
    assertThat(weir.deadLetters()).isEmpty();
  }

  private void signed(ReadingBatch batch, GatewayKey key) {
    Headers headers = new RecordHeaders();
    byte[] value = batch.toByteArray();
    BatchSigner.of(WeirDriver.READINGS, key).sign(0, value, headers);
    weir.send(T, new byte[0], value, headers);
  }

  private void redrive(byte[] deadLetter) {
    weir.send(
        T,
        "g".getBytes(StandardCharsets.UTF_8),
        deadLetter,
        DeadLetterHeaders.ofRedrive(new Origin(WeirDriver.DEAD_LETTERS, 0, 7)));
  }

  private DeadLetter only(RejectReason reason) {
    List<DeadLetter> deadLetters = weir.deadLetters();
    assertThat(deadLetters).hasSize(1);
    assertThat(deadLetters.get(0).reason()).isEqualTo(reason);
    return deadLetters.get(0);
  }

  private static Completeness entry(String sensor, long throughMs) {
    return Completeness.newBuilder().setSensorId(sensor).setThroughMs(throughMs).build();
  }

  private static Permissions permissions(String entries) {
    return PermissionFile.parse("g.yaml", "gateways: [" + entries + "]", false);
  }

  private static WeirDriver driver(Permissions permissions) {
    WeirDriver driver = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20));
    driver.restart(permissions);
    return driver;
  }
}
