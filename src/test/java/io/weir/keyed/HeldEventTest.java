package io.weir.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Event;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HeldEventTest {
  private static final byte[] EVENT =
      Event.newBuilder().setKey("k").setType("t").build().toByteArray();

  @Test
  void event_gatewayAndPosition_comeBack_whateverTheLengthOfTheGateway() throws Exception {
    for (int length : new int[] {0, 1, 113, 114, 200, 256, 20_000}) {
      String gateway = "g".repeat(length);
      byte[] held =
          HeldEvent.of(
              EVENT, 0, EVENT.length, gateway.getBytes(StandardCharsets.UTF_8), 1L << 40, 70_000);
      HeldEvent read = HeldEvent.read(held, "topic", 3);
      assertThat(read.message()).isEqualTo(EVENT);
      assertThat(read.gateway()).isEqualTo(gateway);
      assertThat(read.origin()).isEqualTo(new EventOrigin("topic", 3, 1L << 40, 70_000));
      assertThat(Event.parseFrom(held).getType()).isEqualTo("t");
    }
  }

  @Test
  void statesOfEarlierBuilds_haveThePositionAlone_orNothing() {
    byte[] positionAlone =
        ByteBuffer.allocate(EVENT.length + 18)
            .put(EVENT)
            .put(new byte[] {(byte) 0xfa, -1, -1, -1, 0x0f, 12})
            .putLong(5)
            .putInt(6)
            .array();
    HeldEvent read = HeldEvent.read(positionAlone, "topic", 3);
    assertThat(read.message()).isEqualTo(EVENT);
    assertThat(read.gateway()).isEmpty();
    assertThat(read.origin()).isEqualTo(new EventOrigin("topic", 3, 5, 6));
    assertThat(HeldEvent.read(EVENT, "topic", 3)).isEqualTo(new HeldEvent(EVENT, null, ""));
    assertThat(HeldEvent.read(new byte[0], "topic", 3).origin()).isNull();
  }
}
