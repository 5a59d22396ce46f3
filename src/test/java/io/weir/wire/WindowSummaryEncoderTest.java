package io.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.v1.WindowSummary;
import io.weir.window.CloseReason;
import io.weir.window.Window;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the class that protoc generates. */
class WindowSummaryEncoderTest {
  @Test
  void anyWindow_isReadBackByTheGeneratedClass() {
    Seeds.forEach(2000, WindowSummaryEncoderTest::assertReadBack);
  }

  private static void assertReadBack(Random random) throws Exception {
    ByteString id = ByteString.copyFromUtf8("Fühler-λ".repeat(random.nextInt(20)));
    long startMs = extreme(random);
    long count = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    long badCount = random.nextInt(3) == 0 ? 0 : extreme(random) & Long.MAX_VALUE;
    double sum = random.nextInt(5) == 0 ? Double.POSITIVE_INFINITY : random.nextGaussian();
    int emissions = random.nextInt(4) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(300);
    CloseReason reason = CloseReason.values()[random.nextInt(CloseReason.values().length)];
    Window window = new Window(startMs, emissions, true, false, false);
    window.restore(count, badCount, sum, 0, null, -1.5, 2.5);

    byte[] bytes = WindowSummaryEncoder.encode(id.toByteArray(), window, startMs + 10, reason);

    WindowSummary.Builder expected =
        WindowSummary.newBuilder()
            .setSensorIdBytes(id)
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10)
            .setRevision(emissions - 1)
            .setCloseReason(io.weir.v1.CloseReason.valueOf("CLOSE_REASON_" + reason.name()))
            .setBadCount(badCount);
    if (count > 0) {
      expected.setCount(count).setSum(sum).setMin(-1.5).setMax(2.5);
    }
    assertThat(WindowSummary.parseFrom(bytes)).isEqualTo(expected.build());
  }

  private static long extreme(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Long.MAX_VALUE - 10;
      case 1 -> -random.nextInt(1000);
      case 2 -> 1;
      default -> 1_700_000_000_000L + random.nextInt();
    };
  }
}
