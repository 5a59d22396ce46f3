package io.weir.signing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.signing.SignatureCheck.Outcome;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class BatchVerifierTest {
  private static final String TOPIC = "weir.readings";
  private static final long NOW = 1_700_000_000_000L;
  private static final byte[] SECRET = new byte[32];
  private static final MasterKey MASTER = master("m", NOW - 1000, NOW + 1000);
  private static final GatewayKey KEY = MASTER.gatewayKey("line-7", 1);
  private static final byte[] VALUE = batch("line-7");

  private final BatchVerifier verifier = new BatchVerifier(TOPIC, MasterKeys.of(List.of(MASTER)));

  /** Computed with Python's hmac alone; docs/reference/known-answers.md shows them too. */
  @ParameterizedTest
  @CsvFileSource(resources = "signatures.csv", numLinesToSkip = 1)
  void knownAnswers(
      String master,
      String masterId,
      String gatewayId,
      int generation,
      String gatewayKey,
      String topic,
      int partition,
      String valueHex,
      String signature) {
    byte[] value = HexFormat.of().parseHex(valueHex);
    byte[] secret = Base64.getDecoder().decode(master);
    MasterKey of = new MasterKey(masterId, secret, Long.MIN_VALUE, Long.MAX_VALUE);
    GatewayKey key = of.gatewayKey(gatewayId, generation);

    assertThat(HexFormat.of().formatHex(key.bytes())).isEqualTo(gatewayKey);
    Headers headers = new RecordHeaders();
    BatchSigner.of(topic, key).sign(partition, value, headers);
    assertThat(text(headers)).isEqualTo(signature);
    SignatureCheck check =
        new BatchVerifier(topic, MasterKeys.of(List.of(of))).check(partition, value, headers, NOW);
    assertThat(check.outcome()).isEqualTo(Outcome.GATEWAY);
    assertThat(check.generation()).isEqualTo(generation);
    assertThat(
            new String(value, check.gatewayOffset(), check.gatewayLength(), StandardCharsets.UTF_8))
        .isEqualTo(gatewayId);
  }

  /** Computed with Python's hmac alone. */
  @Test
  void knownAnswer_ofARedrive_coversItsHeaders() {
    byte[] secret = new byte[32];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) i;
    }
    MasterKey master = new MasterKey("2026", secret, Long.MIN_VALUE, Long.MAX_VALUE);
    byte[] value = HexFormat.of().parseHex("0a066c696e652d37110000008056febc181801");
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin("weir.dead-letters", 3, 17));
    BatchSigner.ofRedrive(TOPIC, master).sign(3, value, headers);

    assertThat(text(headers))
        .isEqualTo("v1,2026.redrive,i/OLD+uqeQb7ufYHoQ/3qHKMNrXtNgxP79LzupT3Jyw=");
    BatchVerifier ofRedrives = new BatchVerifier(TOPIC, MasterKeys.of(List.of(master)));
    assertThat(ofRedrives.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.REDRIVE);
    headers.remove(DeadLetterHeaders.REDRIVE_OFFSET);
    headers.add(DeadLetterHeaders.REDRIVE_OFFSET, new byte[] {'1', '8'});
    assertThat(ofRedrives.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.BAD);
    headers = DeadLetterHeaders.ofRedrive(new Origin("weir.dead-letters", 3, 17));
    BatchSigner.ofRedrive(TOPIC, master).sign(3, value, headers);
    headers.add(DeadLetterHeaders.REDRIVE_REASON, "WITHHELD".getBytes(StandardCharsets.UTF_8));
    assertThat(ofRedrives.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.BAD);
  }

  /** Otherwise every application would handle an event again that one has refused. */
  @Test
  void applicationThatARedriveIsFor_cannotBeChangedOrRemoved() {
    MasterKey master = new MasterKey("2026", new byte[32], Long.MIN_VALUE, Long.MAX_VALUE);
    BatchVerifier verifier = new BatchVerifier(TOPIC, MasterKeys.of(List.of(master)));
    byte[] value = {1, 2, 3};
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin("weir.dead-letters", 3, 17), "posts");
    BatchSigner.ofRedrive(TOPIC, master).sign(3, value, headers);
    assertThat(verifier.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.REDRIVE);
    headers.remove(DeadLetterHeaders.REDRIVE_APPLICATION);
    assertThat(verifier.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.BAD);
    headers.add(DeadLetterHeaders.REDRIVE_APPLICATION, "others".getBytes(StandardCharsets.UTF_8));
    assertThat(verifier.check(3, value, headers, NOW).outcome()).isEqualTo(Outcome.BAD);
  }

  /** Without lengths, a header that holds the byte between them took bytes from the value. */
  @Test
  void boundaryBetweenAHeaderOfARedriveAndTheValue_cannotBeMoved() {
    byte[] value = {1, 0, 2, 3};
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin("weir.dead-letters", 3, 17));
    byte[] moved = concat(SignedBytes.redrive(TOPIC, 5, headers), value);
    headers.remove(DeadLetterHeaders.REDRIVE_OFFSET);
    headers.add(DeadLetterHeaders.REDRIVE_OFFSET, new byte[] {'1', '7', 0, 1});

    assertThat(concat(SignedBytes.redrive(TOPIC, 5, headers), new byte[] {2, 3}))
        .isNotEqualTo(moved);
  }

  @Test
  void headersOfARedrive_areThoseThatAreCovered() {
    assertThat(SignedBytes.REDRIVE_HEADERS)
        .containsExactly(
            DeadLetterHeaders.REDRIVE_TOPIC,
            DeadLetterHeaders.REDRIVE_PARTITION,
            DeadLetterHeaders.REDRIVE_OFFSET,
            DeadLetterHeaders.REDRIVE_REASON);
  }

  @Test
  void withoutTheHeader_isUnsigned_withTheClaimedGateway() {
    SignatureCheck check = verifier.check(5, VALUE, new RecordHeaders(), NOW);

    assertThat(check.outcome()).isEqualTo(Outcome.UNSIGNED);
    assertThat(check.gatewayLength()).isEqualTo("line-7".length());
  }

  @Test
  void anotherGateways_partitions_orTopicsSignature_isBad() {
    byte[] others = batch("line-8");
    assertThat(outcome(5, others, signed(5, others, KEY), NOW)).isEqualTo(Outcome.BAD);
    assertThat(outcome(6, VALUE, signed(5, VALUE, KEY), NOW)).isEqualTo(Outcome.BAD);
    Headers elsewhere = new RecordHeaders();
    BatchSigner.of("another", KEY).sign(5, VALUE, elsewhere);
    assertThat(outcome(5, VALUE, elsewhere, NOW)).isEqualTo(Outcome.BAD);
    assertThat(outcome(5, VALUE, signed(5, VALUE, KEY), NOW)).isEqualTo(Outcome.GATEWAY);
  }

  /** A gateway's key is no redrive's, whatever it calls itself. */
  @Test
  void gatewaysKey_cannotSignARedrive() {
    Headers headers = DeadLetterHeaders.ofRedrive(new Origin("weir.late", 1, 2));
    byte[] code = Hmac.of(KEY.bytes(), concat(SignedBytes.redrive(TOPIC, 5, headers), VALUE));
    headers.add(BatchSignature.HEADER, BatchSignature.header(new KeyId("m", 0), code));

    assertThat(outcome(5, VALUE, headers, NOW)).isEqualTo(Outcome.BAD);
  }

  @Test
  void masterHolds_fromItsFirstMillisecond_toBeforeItsLast() {
    Headers headers = signed(5, VALUE, KEY);
    assertThat(outcome(5, VALUE, headers, NOW - 1001)).isEqualTo(Outcome.EXPIRED);
    assertThat(outcome(5, VALUE, headers, NOW - 1000)).isEqualTo(Outcome.GATEWAY);
    assertThat(outcome(5, VALUE, headers, NOW + 999)).isEqualTo(Outcome.GATEWAY);
    assertThat(outcome(5, VALUE, headers, NOW + 1000)).isEqualTo(Outcome.EXPIRED);
  }

  @Test
  void oneGoodSignature_amongSeveral_isEnough() {
    MasterKey next = new MasterKey("next", new byte[40], Long.MIN_VALUE, Long.MAX_VALUE);
    String good = text(signed(5, VALUE, KEY));
    String ofNext = text(signed(5, VALUE, next.gatewayKey("line-7", 1)));

    assertThat(outcome(5, VALUE, header(ofNext + " " + good), NOW)).isEqualTo(Outcome.GATEWAY);
    assertThat(outcome(5, VALUE, header("v2,x " + good), NOW)).isEqualTo(Outcome.GATEWAY);
    assertThat(outcome(5, VALUE, header(ofNext), NOW)).isEqualTo(Outcome.BAD);
    String five = String.join(" ", ofNext, ofNext, ofNext, ofNext, good);
    assertThat(outcome(5, VALUE, header(five), NOW)).isEqualTo(Outcome.BAD);
  }

  @Test
  void textThatIsNoSignature_isBad() {
    String good = text(signed(5, VALUE, KEY));
    for (String text :
        List.of(
            "",
            " ",
            "v1",
            "v1,",
            "v1,m.1",
            "v1,m.1,",
            "v1,m.1,*",
            "v1,m.1,AAAA",
            good.replace("m.1", "m.01"),
            good.replace("m.1", "m.0"),
            good.replace("m.1", "m.9999999999"),
            good.replace("m.1", "m.redrive"),
            good.replace("m.1", "x.1"),
            " ".repeat(1024) + good)) {
      assertThat(outcome(5, VALUE, header(text), NOW)).as(text).isEqualTo(Outcome.BAD);
    }
    Headers none = new RecordHeaders();
    none.add(BatchSignature.HEADER, null);
    assertThat(outcome(5, VALUE, none, NOW)).isEqualTo(Outcome.BAD);
  }

  /** Where no gateway is to be found, no key is. */
  @Test
  void batchWithoutGateway_hasNoKey() {
    for (byte[] value : List.of(new byte[0], new byte[] {1, 2, 3}, batch(""), new byte[] {0, 1})) {
      Headers headers = signed(5, value, MASTER.gatewayKey("", 1));
      assertThat(outcome(5, value, headers, NOW)).isEqualTo(Outcome.BAD);
    }
  }

  @Test
  void anyFlippedBit_ofValueOrCode_isSeen() {
    Seeds.forEach(
        500,
        random -> {
          String gatewayId = "gateway-" + random.nextInt(5000);
          GatewayKey key = MASTER.gatewayKey(gatewayId, 1 + random.nextInt(1000));
          byte[] value = randomBatch(gatewayId, random);
          Headers headers = signed(9, value, key);
          assertThat(outcome(9, value, headers, NOW)).isEqualTo(Outcome.GATEWAY);

          byte[] flipped = value.clone();
          flipped[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
          assertThat(outcome(9, flipped, headers, NOW)).isEqualTo(Outcome.BAD);

          BatchSignature right = BatchSignature.parse(bytes(headers)).get(0);
          byte[] code = right.code().clone();
          code[random.nextInt(code.length)] ^= (byte) (1 << random.nextInt(8));
          Headers wrong = new RecordHeaders();
          wrong.add(BatchSignature.HEADER, BatchSignature.header(right.keyId(), code));
          assertThat(outcome(9, value, wrong, NOW)).isEqualTo(Outcome.BAD);
        });
  }

  private static byte[] randomBatch(String gatewayId, Random random) {
    byte[] rest = new byte[random.nextInt(300)];
    random.nextBytes(rest);
    List<byte[]> fields = new ArrayList<>();
    fields.add(ReadingBatch.newBuilder().setBootId(7).setSequence(1).build().toByteArray());
    fields.add(
        ReadingBatch.newBuilder()
            .addReadings(
                io.weir.v1.Reading.newBuilder()
                    .setSensorId(Base64.getEncoder().encodeToString(rest)))
            .build()
            .toByteArray());
    byte[] gateway = batch(gatewayId);
    return random.nextBoolean()
        ? concat(concat(gateway, fields.get(0)), fields.get(1))
        : concat(concat(fields.get(1), fields.get(0)), gateway);
  }

  private Outcome outcome(int partition, byte[] value, Headers headers, long appendMs) {
    return verifier.check(partition, value, headers, appendMs).outcome();
  }

  private static Headers signed(int partition, byte[] value, GatewayKey key) {
    Headers headers = new RecordHeaders();
    BatchSigner.of(TOPIC, key).sign(partition, value, headers);
    return headers;
  }

  private static Headers header(String text) {
    Headers headers = new RecordHeaders();
    headers.add(BatchSignature.HEADER, text.getBytes(StandardCharsets.ISO_8859_1));
    return headers;
  }

  private static byte[] bytes(Headers headers) {
    return headers.lastHeader(BatchSignature.HEADER).value();
  }

  private static String text(Headers headers) {
    return new String(bytes(headers), StandardCharsets.ISO_8859_1);
  }

  private static MasterKey master(String id, long fromMs, long untilMs) {
    return new MasterKey(id, SECRET, fromMs, untilMs);
  }

  private static byte[] batch(String gatewayId) {
    return ByteString.copyFrom(
            ReadingBatch.newBuilder().setGatewayId(gatewayId).build().toByteArray())
        .toByteArray();
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
