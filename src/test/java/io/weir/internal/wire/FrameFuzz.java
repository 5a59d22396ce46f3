package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.reading.Limits;
import io.weir.reading.RejectReason;
import java.util.Arrays;

/**
 * Any bytes behind the magic byte of a frame: what is taken is its payload and nothing else, what
 * is refused has a reason of frames.
 */
public final class FrameFuzz {
  /** Magic, schema id, and the shortest and the longest way to name the first message. */
  private static final int SHORT_HEAD = 6;

  private static final int LONG_HEAD = 7;

  private static final BatchDecoder DECODER = new BatchDecoder(Limits.DEFAULT);

  private FrameFuzz() {}

  public static void fuzzerTestOneInput(byte[] afterMagic) {
    byte[] record = new byte[1 + afterMagic.length];
    System.arraycopy(afterMagic, 0, record, 1, afterMagic.length);
    try {
      String framed = BatchText.of(DECODER.decode(record));
      int head = record[SHORT_HEAD - 1] == 0 ? SHORT_HEAD : LONG_HEAD;
      assertThat(framed).isEqualTo(bare(Arrays.copyOfRange(record, head, record.length)));
    } catch (UndecodableException e) {
      assertThat(e.reason()).isIn(RejectReason.UNDECODABLE, RejectReason.UNKNOWN_SCHEMA);
    }
  }

  /** A payload that itself begins with 0 is no protobuf, nor is it a frame within a frame. */
  private static String bare(byte[] payload) throws UndecodableException {
    assertThat(payload.length == 0 || payload[0] != 0).isTrue();
    return BatchText.of(DECODER.decode(payload));
  }
}
