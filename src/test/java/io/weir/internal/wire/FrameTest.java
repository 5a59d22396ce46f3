package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FrameTest {
  private final BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);

  private static byte[] framed(byte[] payload, int... head) {
    byte[] record = new byte[head.length + payload.length];
    for (int i = 0; i < head.length; i++) {
      record[i] = (byte) head[i];
    }
    System.arraycopy(payload, 0, record, head.length, payload.length);
    return record;
  }

  private void assertRefused(RejectReason reason, int... head) {
    byte[] payload = ReadingBatch.newBuilder().setGatewayId("g").build().toByteArray();
    byte[] record = framed(head.length > 6 ? payload : new byte[0], head);
    assertThatThrownBy(() -> decoder.decode(record))
        .isInstanceOfSatisfying(
            UndecodableException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void anyFrameOfTheFirstMessage_decodesAsItsPayload() {
    Seeds.forEach(
        300,
        random -> {
          byte[] payload = RandomBatchBytes.next(random);
          int id = random.nextInt();
          byte[] shortForm = framed(payload, 0, id >>> 24, id >>> 16, id >>> 8, id, 0);
          byte[] longForm = framed(payload, 0, id >>> 24, id >>> 16, id >>> 8, id, 2, 0);
          String bare = ids(decoder.decode(payload));
          assertThat(ids(decoder.decode(shortForm))).isEqualTo(bare);
          assertThat(ids(decoder.decode(longForm))).isEqualTo(bare);
        });
  }

  private static String ids(ReadingColumns columns) {
    StringBuilder text = new StringBuilder(columns.gatewayId() + columns.readings());
    for (int run = 0; run < columns.runs(); run++) {
      int offset = columns.idOffset(run);
      byte[] id = Arrays.copyOfRange(columns.bytes(), offset, offset + columns.idLength(run));
      text.append(Arrays.toString(id)).append(columns.runEnd(run)).append(columns.form(run));
    }
    return text.toString();
  }

  @Test
  void frameWithoutPayload_isABatchWithoutReadings() throws UndecodableException {
    assertThat(decoder.decode(new byte[] {0, 0, 0, 0, 1, 0}).readings()).isZero();
    assertThat(decoder.decode(new byte[] {0, 0, 0, 0, 1, 2, 0}).readings()).isZero();
  }

  @Test
  void frameThatBreaksOff_undecodable() {
    assertRefused(RejectReason.UNDECODABLE, 0);
    assertRefused(RejectReason.UNDECODABLE, 0, 0, 0);
    assertRefused(RejectReason.UNDECODABLE, 0, 0, 0, 0, 1);
    assertRefused(RejectReason.UNDECODABLE, 0, 0, 0, 0, 1, 2);
  }

  @Test
  void frameOfAnotherMessage_unknownSchema() {
    assertRefused(RejectReason.UNKNOWN_SCHEMA, 0, 0, 0, 0, 1, 2, 2);
    assertRefused(RejectReason.UNKNOWN_SCHEMA, 0, 0, 0, 0, 1, 4, 0, 2);
    assertRefused(RejectReason.UNKNOWN_SCHEMA, 0, 0, 0, 0, 1, 4, 0, 0);
  }

  @Test
  void payloadThatIsNoProtobuf_undecodable() {
    assertRefused(RejectReason.UNDECODABLE, 0, 0, 0, 0, 1, 0, 0xff, 0xff);
  }
}
