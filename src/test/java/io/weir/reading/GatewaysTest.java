package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatewaysTest {
  private static final long DAY_MS = 24L * 60 * 60 * 1000;

  private final Gateways gateways = new Gateways();

  private BatchVerdict judge(String id, long bootId, long sequence) {
    return gateways.judge(new Columns().gateway(id, bootId, sequence).build(), id, 256);
  }

  @Test
  void gatewayId_emptyWithABootIdOrTooLong_isInvalid() {
    assertThat(judge("", 1, 1)).isEqualTo(BatchVerdict.INVALID_GATEWAY);
    assertThat(judge("", 0, 0)).isEqualTo(BatchVerdict.UNSEQUENCED);
    assertThat(judge("g".repeat(256), 1, 1)).isEqualTo(BatchVerdict.NEW);
    assertThat(judge("g".repeat(257), 0, 0)).isEqualTo(BatchVerdict.INVALID_GATEWAY);
    assertThat(judge("λ".repeat(129), 0, 0)).isEqualTo(BatchVerdict.INVALID_GATEWAY);
  }

  @Test
  void reasons_comeInTheirOrder() {
    for (long bootId = 1; bootId <= 5; bootId++) {
      gateways.apply("g", bootId, 2000, 1);
    }
    assertThat(judge("", 1, 0).refusal()).isEqualTo(RejectReason.INVALID_GATEWAY);
    assertThat(judge("g", 1, 0).refusal()).isEqualTo(RejectReason.INVALID_SEQUENCE);
    assertThat(judge("g", 1, 5).refusal()).isEqualTo(RejectReason.FENCED);
    assertThat(judge("g", 2, 5).refusal()).isEqualTo(RejectReason.STALE_SEQUENCE);
    assertThat(judge("g", 2, 2000)).isEqualTo(BatchVerdict.REPEAT);
    assertThat(judge("g", 2, 2000).refusal()).isNull();
  }

  @Test
  void anyHistory_lostAgreesWithItsGatewaysAndSilentOnesAreForgotten() {
    Seeds.forEach(100, random -> new GatewaysTest().history(random));
  }

  private void history(Random random) {
    Map<String, NaiveGateway> naive = new HashMap<>();
    Map<String, Long> lastMs = new HashMap<>();
    long nowMs = 1_700_000_000_000L;
    for (int step = 0; step < 300; step++) {
      String id = "g" + random.nextInt(6);
      long bootId = 1 + random.nextInt(6);
      long sequence = 1 + random.nextInt(3000);
      BatchVerdict verdict = judge(id, bootId, sequence);
      NaiveGateway known = naive.getOrDefault(id, new NaiveGateway());
      assertThat(verdict).as("step %d", step).isEqualTo(known.judge(bootId, sequence));
      if (verdict == BatchVerdict.NEW) {
        gateways.apply(id, bootId, sequence, nowMs);
        known.apply(bootId, sequence);
        naive.put(id, known);
        lastMs.put(id, nowMs);
      }
      if (random.nextInt(10) == 0) {
        nowMs += random.nextInt(5) == 0 ? 8 * DAY_MS : DAY_MS;
        gateways.forgetSilent(nowMs);
        long forgottenMs = nowMs - 7 * DAY_MS;
        naive.keySet().removeIf(silent -> lastMs.get(silent) <= forgottenMs);
      }
      for (int i = 0; i < 6; i++) {
        assertThat(gateways.get("g" + i) != null).isEqualTo(naive.containsKey("g" + i));
      }
      assertThat(gateways.lost())
          .isEqualTo(naive.values().stream().mapToLong(NaiveGateway::lost).sum());
    }
  }

  @Test
  void forgottenGateway_isToBeDeleted_andOneThatIsBackToBePutAfterwards() {
    gateways.apply("g", 5, 3, 0);
    gateways.forgetSilent(7 * DAY_MS - 1);
    assertThat(gateways.get("g")).isNotNull();
    gateways.forgetSilent(8 * DAY_MS);
    assertThat(gateways.forgotten()).containsExactly("g");
    assertThat(gateways.touched()).isEmpty();
    assertThat(gateways.lost()).isZero();
    assertThat(judge("g", 4, 1)).isEqualTo(BatchVerdict.NEW);
    gateways.apply("g", 4, 1, 8 * DAY_MS);
    assertThat(gateways.forgotten()).containsExactly("g");
    assertThat(gateways.touched()).containsExactly("g");
    gateways.written();
    assertThat(gateways.forgotten()).isEmpty();
    assertThat(gateways.touched()).isEmpty();
  }

  @Test
  void restoredOverAndOver_lostIsThatOfTheLast() {
    GatewaySequences first = new GatewaySequences();
    first.apply(1, 10, 0);
    GatewaySequences second = new GatewaySequences();
    second.apply(1, 4, 0);
    gateways.restore("g", first);
    gateways.restore("g", second);
    assertThat(gateways.lost()).isEqualTo(3);
    gateways.dropRestored("g");
    gateways.dropRestored("g");
    assertThat(gateways.lost()).isZero();
    gateways.restore("g", first);
    gateways.clear();
    assertThat(gateways.lost()).isZero();
    assertThat(gateways.get("g")).isNull();
  }
}
