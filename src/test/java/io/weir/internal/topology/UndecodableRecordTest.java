package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.reading.RejectReason;
import io.weir.v1.Reading;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Which records cannot be decoded, and what the dead letter keeps of them. */
class UndecodableRecordTest extends RejectionFixture {
  @Test
  void undecodable_isKeptAsReceivedWithItsOrigin() {
    byte[] poison = "poison".getBytes(StandardCharsets.UTF_8);
    weir.send(T, new byte[] {1, 2}, poison);

    DeadLetter deadLetter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(deadLetter.key()).containsExactly(1, 2);
    assertThat(deadLetter.value()).isEqualTo(poison);
    assertThat(deadLetter.header(DeadLetterHeaders.TOPIC)).isEqualTo(WeirDriver.READINGS);
    assertThat(deadLetter.header(DeadLetterHeaders.PARTITION)).isEqualTo("0");
    assertThat(deadLetter.header(DeadLetterHeaders.OFFSET)).isEqualTo("0");
    assertThat(deadLetter.header(DeadLetterHeaders.MESSAGE)).isNotBlank();
    assertThat(deadLetter.header(DeadLetterHeaders.EXCEPTION)).contains("Undecodable");
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

    DeadLetter deadLetter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(deadLetter.key().length + deadLetter.value().length).isLessThan(1 << 20);
    assertThat(deadLetter.header(DeadLetterHeaders.SIZE)).isEqualTo(String.valueOf(5 << 20));
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
          DeadLetterHeaders.LIFE,
          "weir.anything"
        }) {
      headers.add(name, "a forged one\n".getBytes(StandardCharsets.UTF_8));
    }
    headers.add("traceparent", new byte[] {7});
    weir.send(T, null, new byte[] {1}, headers);

    DeadLetter deadLetter = refusedWhole(RejectReason.UNDECODABLE);
    assertThat(deadLetter.headers())
        .extracting(org.apache.kafka.common.header.Header::key)
        .containsExactlyInAnyOrder(
            "traceparent",
            DeadLetterHeaders.TOPIC,
            DeadLetterHeaders.PARTITION,
            DeadLetterHeaders.OFFSET,
            DeadLetterHeaders.LIFE,
            DeadLetterHeaders.TOPIC_ID,
            DeadLetterHeaders.EXCEPTION,
            DeadLetterHeaders.MESSAGE,
            DeadLetterHeaders.REASON);
    assertThat(deadLetter.header(DeadLetterHeaders.OFFSET)).isEqualTo("0");
  }

  @Test
  void hugeHeaders_areLeftBehind() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("huge", new byte[2 << 20]);
    headers.add(DeadLetterHeaders.REASON, "forged".getBytes(StandardCharsets.UTF_8));
    weir.send(T, null, new byte[] {1}, headers);

    assertThat(refusedWhole(RejectReason.UNDECODABLE).headers().lastHeader("huge")).isNull();
  }

  /** Each of them takes room in a record, though it has no byte of its own. */
  @Test
  void headersWithoutNameAndValue_areLeftBehindWhereTheyAreMany() {
    RecordHeaders headers = new RecordHeaders();
    for (int header = 0; header < 400_000; header++) {
      headers.add("", null);
    }
    weir.send(T, null, new byte[] {1}, headers);

    assertThat(refusedWhole(RejectReason.UNDECODABLE).headers().lastHeader("")).isNull();
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
}
