package io.weir.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GatewaysTest {
  private static final long DAY_MS = 24L * 60 * 60 * 1000;
  private static final long NOW_MS = 1_700_000_000_000L;

  private final Gateways gateways =
      new Gateways(new GatewayRules(7 * DAY_MS, 30 * DAY_MS, 10, 300_000));
  private long logMs = NOW_MS;

  private BatchVerdict judge(String id, long bootId, long sequence) {
    return gateways.judge(
        new Columns().gateway(id, bootId, sequence).build(), id, 256, NOW_MS, logMs);
  }

  private long lost() {
    return gateways.lostForGood()
        + gateways.missingByGateway().values().stream().mapToLong(Long::longValue).sum();
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
  void newGatewaysAtTheCap_areRefusedWithoutALookAtAllOthers() {
    for (int gateway = 0; gateway < 10; gateway++) {
      gateways.apply("g" + gateway, 1, 1, logMs);
    }
    for (int gateway = 0; gateway < 1_000; gateway++) {
      logMs += 100;
      assertThat(judge("new" + gateway, 1, 1)).isEqualTo(BatchVerdict.TOO_MANY_GATEWAYS);
    }
    assertThat(gateways.passes()).isEqualTo(1);
  }

  /** Whatever was applied, reset and restored before, and at one log time or several. */
  @Test
  void gatewayThatGivesWay_isTheOneThatWasSilentForLongest_thenTheFirstById() {
    Seeds.forEach(
        200,
        random -> {
          Gateways gateways = new Gateways(new GatewayRules(50, 50, 10, 300_000));
          Map<String, Long> model = new HashMap<>();
          long nowMs = NOW_MS;
          for (int step = 0; step < 400; step++) {
            nowMs += random.nextInt(3) == 0 ? random.nextInt(40) : 0;
            String id = "g" + random.nextInt(25);
            if (random.nextInt(30) == 0) {
              gateways.reset(id);
              model.remove(id);
              continue;
            }
            long mostMs = nowMs - 100;
            String first =
                model.entrySet().stream()
                    .filter(gateway -> gateway.getValue() <= mostMs)
                    .min(
                        Map.Entry.<String, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .orElse(null);
            boolean full = !model.containsKey(id) && model.size() == 10;
            BatchVerdict verdict =
                gateways.judge(
                    new Columns().gateway(id, 1, step + 1).build(), id, 256, NOW_MS, nowMs);
            assertThat(verdict == BatchVerdict.TOO_MANY_GATEWAYS).isEqualTo(full && first == null);
            if (verdict != BatchVerdict.TOO_MANY_GATEWAYS) {
              gateways.apply(id, 1, step + 1, nowMs);
              if (full) {
                model.remove(first);
              }
              model.put(id, nowMs);
            }
            assertThat(gateways.size()).isEqualTo(model.size());
            model.keySet().forEach(known -> assertThat(gateways.get(known)).isNotNull());
          }
        });
  }

  @Test
  void resetGateway_isAsIfItHadNeverSent_andItsRoomIsFree() {
    for (long bootId = 1; bootId <= 5; bootId++) {
      gateways.apply("g", bootId, 3, logMs);
    }
    long missing = lost();

    assertThat(gateways.reset("g")).isTrue();
    assertThat(gateways.reset("g")).isFalse();

    assertThat(judge("g", 1, 1)).isEqualTo(BatchVerdict.NEW);
    assertThat(gateways.size()).isZero();
    assertThat(gateways.forgotten()).containsExactly("g");
    assertThat(gateways.touched()).isEmpty();
    assertThat(gateways.missingByGateway()).isEmpty();
    assertThat(lost()).as("what had not come is lost").isEqualTo(missing);
  }

  @Test
  void reasons_comeInTheirOrder() {
    for (long bootId = 1; bootId <= 5; bootId++) {
      gateways.apply("g", bootId, 2000, logMs);
    }
    assertThat(judge("", 1, 0).refusal()).isEqualTo(RejectReason.INVALID_GATEWAY);
    assertThat(judge("g", 1, 0).refusal()).isEqualTo(RejectReason.INVALID_SEQUENCE);
    assertThat(judge("g", 1, 5).refusal()).isEqualTo(RejectReason.FENCED);
    assertThat(judge("g", 2, 5).refusal()).isEqualTo(RejectReason.STALE_SEQUENCE);
    assertThat(judge("g", 2, 2000)).isEqualTo(BatchVerdict.DUPLICATE);
    assertThat(judge("g", 2, 2000).refusal()).isNull();
  }

  @Test
  void numbersThatAreNone_areInvalid_ofAGatewayThatIsKnownOrNot() {
    gateways.apply("known", 5, 1, logMs);
    for (String id : new String[] {"known", "unknown"}) {
      assertThat(judge(id, 5, 0)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(judge(id, -1, 5)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(judge(id, 5, Long.MIN_VALUE)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(judge(id, 0, -1)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
      assertThat(judge(id, 0, 0)).isEqualTo(BatchVerdict.UNSEQUENCED);
      assertThat(judge(id, 0, 9)).isEqualTo(BatchVerdict.UNSEQUENCED);
      assertThat(judge(id, 6, 1 << 20)).isEqualTo(BatchVerdict.NEW);
      assertThat(judge(id, 6, (1 << 20) + 1)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
    }
  }

  /** Four such boots would fence the gateway's own for ever. */
  @Test
  void bootOfTheFuture_isRefused_andThePastIsNot() {
    long latest = (NOW_MS + 300_000) << 20 | 0xfffff;
    assertThat(judge("g", latest, 1)).isEqualTo(BatchVerdict.NEW);
    assertThat(judge("g", latest + 1, 1)).isEqualTo(BatchVerdict.FUTURE_BOOT);
    assertThat(judge("g", Long.MAX_VALUE, 1)).isEqualTo(BatchVerdict.FUTURE_BOOT);
    assertThat(judge("g", Long.MAX_VALUE, 1L << 30)).isEqualTo(BatchVerdict.INVALID_SEQUENCE);
    assertThat(judge("g", 1, 1)).isEqualTo(BatchVerdict.NEW);
  }

  @Test
  void moreGatewaysThanAreRemembered_newOnesAreRefused_knownOnesGoOn() {
    for (int i = 0; i < 10; i++) {
      gateways.apply("g" + i, 1, 1, logMs);
    }
    assertThat(judge("g10", 1, 1)).isEqualTo(BatchVerdict.TOO_MANY_GATEWAYS);
    assertThat(judge("g10", 0, 0)).isEqualTo(BatchVerdict.UNSEQUENCED);
    assertThat(judge("g3", 1, 2)).isEqualTo(BatchVerdict.NEW);
    gateways.restore("g10", new GatewaySequences());
    assertThat(gateways.size()).isEqualTo(11);
  }

  @Test
  void room_isMadeByTheOldestMark_thirtyDaysAfterItBecameOne() {
    for (int i = 0; i < 10; i++) {
      gateways.apply("g" + i, 1, 1, logMs + i);
    }
    logMs += 37 * DAY_MS - 1;
    assertThat(judge("new", 1, 1)).isEqualTo(BatchVerdict.TOO_MANY_GATEWAYS);
    logMs += 2;
    gateways.written();
    assertThat(judge("new", 1, 1)).isEqualTo(BatchVerdict.NEW);
    gateways.apply("new", 1, 1, logMs);
    assertThat(gateways.forgotten()).containsExactly("g0");
    assertThat(gateways.get("g0")).isNull();
    assertThat(gateways.get("g1")).isNotNull();
    assertThat(gateways.touched()).contains("new");
    assertThat(judge("g0", 1, 1)).isEqualTo(BatchVerdict.NEW);
  }

  /** From the moment on that it has been silent for so long, whenever it was looked at. */
  @Test
  void gatewayThatWasSilentForItsTtl_isAMark_whetherSweptOrNot() {
    for (boolean sweep : new boolean[] {false, true}) {
      Gateways some = new Gateways(new GatewayRules(1000, 30 * DAY_MS, 10, 300_000));
      some.apply("g", 7, 5, logMs);
      if (sweep) {
        some.forgetSilent(logMs + 999);
        some.forgetSilent(logMs + 1000);
      }
      ReadingColumns again = new Columns().gateway("g", 7, 3).build();
      assertThat(some.judge(again, "g", 256, NOW_MS, logMs + (sweep ? 1000 : 999)))
          .isEqualTo(sweep ? BatchVerdict.STALE : BatchVerdict.NEW);
      assertThat(some.judge(again, "g", 256, NOW_MS, logMs + 1000)).isEqualTo(BatchVerdict.STALE);
      assertThat(some.lostForGood()).isEqualTo(4);
      assertThat(some.missingByGateway()).isEmpty();
      assertThat(some.awaitsTime()).isFalse();
    }
  }

  @Test
  void anyHistory_whatIsLostAgreesWithSetsThatHoldEverything() {
    Seeds.forEach(100, random -> new GatewaysTest().history(random));
  }

  private void history(Random random) {
    Map<String, NaiveGateway> naive = new HashMap<>();
    for (int step = 0; step < 300; step++) {
      String id = "g" + random.nextInt(6);
      long bootId = 1 + random.nextInt(6);
      long sequence = 1 + random.nextInt(3000);
      BatchVerdict verdict = judge(id, bootId, sequence);
      NaiveGateway known = naive.computeIfAbsent(id, g -> new NaiveGateway());
      assertThat(verdict).as("step %d", step).isEqualTo(known.judge(bootId, sequence));
      if (verdict == BatchVerdict.NEW) {
        gateways.apply(id, bootId, sequence, logMs);
        known.apply(bootId, sequence);
      }
      logMs += random.nextInt(1000);
      assertThat(lost()).isEqualTo(naive.values().stream().mapToLong(NaiveGateway::lost).sum());
    }
  }

  @Test
  void restoredOverAndOver_missingIsThatOfTheLast() {
    GatewaySequences first = new GatewaySequences();
    first.apply(1, 10, 0);
    GatewaySequences second = new GatewaySequences();
    second.apply(1, 4, 0);
    gateways.restore("g", first);
    gateways.restore("g", second);
    assertThat(lost()).isEqualTo(3);
    gateways.dropRestored("g");
    gateways.dropRestored("g");
    assertThat(lost()).isZero();
    gateways.restore("g", first);
    gateways.clear();
    assertThat(lost()).isZero();
    assertThat(gateways.get("g")).isNull();
  }
}
