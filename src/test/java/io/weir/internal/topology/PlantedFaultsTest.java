package io.weir.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Mutant;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Bugs that the engine once had, planted again: the random histories see each. A redrive that looks
 * for no copy of a batch is seen by {@code RedriveAfterResetTest}; histories play it too rarely.
 */
class PlantedFaultsTest {
  private static final int MOST_HISTORIES = 2_000;

  @Test
  void noBug_isNotSeen() throws Exception {
    assertThat(firstSeed(new Mutant(), 1, 30)).isEmpty();
  }

  @Test
  void windowThatLacksDeletedReadings_asIfItWereWhole_isSeen() throws Exception {
    assertSeen(
        13,
        new Mutant()
            .with(
                "io.weir.internal.store.PartitionState",
                "windows.withholdBefore(WindowSpec.saturatedSum(latestMs, deletedThroughMs));",
                ""));
  }

  @Test
  void acceptedLoss_thatEmitsNothing_isSeen() throws Exception {
    assertSeen(
        13,
        new Mutant()
            .with(
                "io.weir.internal.store.PartitionState",
                "OptionalLong.of(windows.release(isLeft, sink))",
                "OptionalLong.of(0)"));
  }

  @Test
  void windowThatIsForgottenBeforeTheOperatorsDecide_isSeen() throws Exception {
    assertSeen(
        51,
        new Mutant()
            .with(
                "io.weir.internal.window.IdleSensors",
                "if (WithheldWindows.awaitsDecision(sensor)) {",
                "if (false) {"));
  }

  @Test
  void acceptedLoss_thatIsGoodForAnyGap_isSeen() throws Exception {
    assertSeen(
        79,
        new Mutant()
            .with("io.weir.internal.store.Gaps", "if (!gap.equals(newest)) {", "if (false) {"));
  }

  @Test
  void acceptedLoss_ofAnotherLife_isSeen() throws Exception {
    assertSeen(
        79,
        new Mutant()
            .with(
                "io.weir.internal.store.Gaps",
                "if (!gap.equals(newest)) {",
                "if (newest == null || gap.from() != newest.from() || gap.to() != newest.to()) {"));
  }

  @Test
  void partOfAWindowThatAnotherLifeHasPublished_isSeen() throws Exception {
    assertSeen(13, isLeft("if (false) {"));
  }

  @Test
  void windowThatNobodyHasPublished_andThatIsNotEmitted_isSeen() throws Exception {
    assertSeen(13, isLeft("if (true) {"));
  }

  private static Mutant isLeft(String inPlace) {
    return new Mutant()
        .with(
            "io.weir.internal.window.WithheldWindows",
            "if (isLeft.test(sensor.name(), window.startMs())) {",
            inPlace);
  }

  @Test
  void windowThatThisLifeAloneHasPublished_inPart_andThatIsNotEmitted_isSeen() throws Exception {
    assertSeen(91, published("return waits && newest > 0;"));
  }

  @Test
  void windowThatNobodyHasPublished_andThatTheCommandNames_isSeen() throws Exception {
    assertSeen(13, published("return waits;"));
  }

  private static Mutant published(String inPlace) {
    return new Mutant()
        .with("io.weir.internal.store.KeptWindows", "return waits && newest >= readings;", inPlace);
  }

  @Test
  void windowOfAnotherLength_asARecordOfAWindow_isSeen() throws Exception {
    assertSeen(
        1,
        new Mutant()
            .with(
                "io.weir.internal.redrive.PublishedWindows",
                ".filter(window -> lengthMs(window) == lengthMs)",
                ""));
  }

  @Test
  void windowsOfASensorWithOneThatIsPublished_areSeen() throws Exception {
    assertSeen(
        20,
        new Mutant()
            .with(
                "io.weir.internal.wire.LeftWindows",
                "String name = startMs + \" \" + sensorId;",
                "String name = sensorId;"));
  }

  @Test
  void lifeThatGoesOnBehindALostState_isSeen() throws Exception {
    assertSeen(
        38,
        new Mutant()
            .with(
                "io.weir.internal.store.PartitionState",
                "    if (wereApplied) {\n      life =",
                "    if (false) {\n      life ="));
  }

  @Test
  void lifeThatIsForgottenAtARestart_isSeen() throws Exception {
    assertSeen(
        1, new Mutant().with("io.weir.internal.store.PartitionState", "life = meta.life();", ""));
  }

  @Test
  void withheldWindowsThatAreEvictedByTheLatenessOfNow_areSeen() throws Exception {
    assertSeen(
        270,
        new Mutant()
            .with(
                "io.weir.internal.window.WithheldWindows",
                "sensor.withheldThroughMs = throughMs;",
                ""));
  }

  @Test
  void readingsOfTheFirstGap_thatTheSecondMakesLate_areSeen() throws Exception {
    assertSeen(
        175,
        new Mutant()
            .with(
                "io.weir.internal.window.WithheldWindows",
                "    sensor.current = null;\n    sensor.openFromMs",
                "    sensor.withheldThroughMs ="
                    + " Math.max(sensor.withheldThroughMs, sensor.evictedThroughMs);\n"
                    + "    sensor.current = null;\n    sensor.openFromMs"));
  }

  @Test
  void windowThatALaterGapWithheld_asTheClockOfRedrivenOnes_isSeen() throws Exception {
    assertSeen(
        270,
        new Mutant()
            .with(
                "io.weir.internal.window.WithheldWindows",
                "<= sensor.withheldThroughMs",
                "<= (of(sensor) == 0 ? sensor.withheldThroughMs"
                    + " : spec.evictedThrough(sensor.window(of(sensor) - 1).startMs()))"));
  }

  @Test
  void oneHighWaterMark_forTheOrdersOfAllGateways_isSeen() throws Exception {
    assertSeen(
        168,
        new Mutant()
            .with(
                "io.weir.internal.store.OrderEntries",
                "Order last = lastByGateway.get(gatewayId);",
                """
                Order last =
                    lastByGateway.values().stream()
                        .max(java.util.Comparator.comparingLong(Order::offset))
                        .orElse(null);
                """)
            .with(
                "io.weir.internal.store.OrderEntries",
                "return lastByGateway.get(gatewayId).offset();",
                "return -1;"));
  }

  @Test
  void futureBoot_beforeSeenBefore_isSeen() throws Exception {
    assertSeen(
        16,
        new Mutant()
            .with(
                "io.weir.reading.Gateways",
                "if (verdict == BatchVerdict.INVALID_SEQUENCE || verdict == BatchVerdict.DUPLICATE)",
                """
                if ((bootId >>> BOOT_TIME_SHIFT) - rules.maxFutureBootMs() > latestMs) {
                  return BatchVerdict.FUTURE_BOOT;
                }
                if (verdict == BatchVerdict.INVALID_SEQUENCE || verdict == BatchVerdict.DUPLICATE)
                """));
  }

  @Test
  void revoked_beforeSeenBefore_isSeen() throws Exception {
    assertSeen(
        60,
        new Mutant()
            .with(
                "io.weir.internal.topology.SenderCheck",
                "case INVALID_GATEWAY, INVALID_SEQUENCE, DUPLICATE -> {",
                "case INVALID_GATEWAY, INVALID_SEQUENCE -> {"));
  }

  /** Begins with the seed that saw it last. */
  private static void assertSeen(long lastSeed, Mutant mutant) throws Exception {
    if (firstSeed(mutant, lastSeed, 1).isEmpty()) {
      assertThat(firstSeed(mutant, 1, MOST_HISTORIES)).isPresent();
    }
  }

  /** The first seed whose history is not as the model says. */
  private static OptionalLong firstSeed(Mutant mutant, long first, int histories) throws Exception {
    Class<?> history = mutant.load("io.weir.internal.topology.RandomHistory");
    Constructor<?> ofSeed = history.getDeclaredConstructor(long.class);
    ofSeed.setAccessible(true);
    Method run = history.getDeclaredMethod("run");
    run.setAccessible(true);
    for (long seed = first; seed < first + histories; seed++) {
      try {
        run.invoke(ofSeed.newInstance(seed));
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).isInstanceOf(AssertionError.class);
        return OptionalLong.of(seed);
      }
    }
    return OptionalLong.empty();
  }
}
