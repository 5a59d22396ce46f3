package io.weir.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultPlanTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);
  private static final Map<FaultKind, Integer> ALL =
      Arrays.stream(FaultKind.values())
          .collect(Collectors.toMap(Function.identity(), kind -> Integer.MAX_VALUE));

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void anySeed_givesThePlanOfThatSeedAgain(long seed) {
    assertThat(FaultPlan.of(seed, AN_HOUR, 1, ALL).lines())
        .isEqualTo(FaultPlan.of(seed, AN_HOUR, 1, ALL).lines());
  }

  @Test
  void anotherSeed_givesAnotherPlan() {
    assertThat(FaultPlan.of(1, AN_HOUR, 1, ALL).lines())
        .isNotEqualTo(FaultPlan.of(2, AN_HOUR, 1, ALL).lines());
  }

  @Test
  void longerPauses_giveFewerFaults_eachAfterAsManyTimesThePause() {
    FaultPlan plan = FaultPlan.of(7, AN_HOUR, 1, ALL);
    FaultPlan calmer = FaultPlan.of(7, AN_HOUR, 12, ALL);

    for (FaultKind.Lane lane : FaultKind.Lane.values()) {
      assertThat(calmer.lane(lane)).hasSizeLessThanOrEqualTo(plan.lane(lane).size());
      assertThat(calmer.lane(lane).get(0).pauseMs())
          .isEqualTo(12 * plan.lane(lane).get(0).pauseMs());
    }
  }

  @Test
  void anHour_hasEveryKind_eachInItsLane() {
    FaultPlan plan = FaultPlan.of(7, AN_HOUR, 1, ALL);

    for (FaultKind.Lane lane : FaultKind.Lane.values()) {
      assertThat(plan.lane(lane))
          .extracting(PlannedFault::kind)
          .extracting(FaultKind::lane)
          .containsOnly(lane);
      assertThat(plan.lane(lane))
          .extracting(PlannedFault::kind)
          .containsAll(
              Arrays.stream(FaultKind.values()).filter(kind -> kind.lane() == lane).toList());
    }
  }

  @Test
  void everyKind_andEveryBug_isOnThePageOfFaults() throws Exception {
    String page = Files.readString(Path.of("docs/reference/chaos.md"));

    for (FaultKind kind : FaultKind.values()) {
      assertThat(page).contains("`" + kind.label() + "`");
    }
    for (PlantedBug bug : PlantedBug.values()) {
      assertThat(bug == PlantedBug.NONE || page.contains("`" + bug.label() + "`"))
          .as(bug.label())
          .isTrue();
    }
  }

  @Test
  void zombies_areFrozenFor15To60Seconds() {
    FaultPlan plan = FaultPlan.of(3, AN_HOUR, 1, Map.of(FaultKind.ZOMBIE, 100));

    assertThat(plan.lane(FaultKind.Lane.ZOMBIES))
        .hasSizeGreaterThan(50)
        .allSatisfy(fault -> assertThat(fault.holdMs()).isBetween(15_000L, 60_000L));
  }

  @Test
  void limitedKinds_areHadAsOftenAndNoMore() {
    FaultPlan plan =
        FaultPlan.of(5, AN_HOUR, 1, Map.of(FaultKind.APP_KILL, 3, FaultKind.BROKER_KILL, 2));

    assertThat(plan.lane(FaultKind.Lane.APPLICATIONS)).hasSize(3);
    assertThat(plan.lane(FaultKind.Lane.BROKERS)).hasSize(2);
    assertThat(plan.lane(FaultKind.Lane.NETWORK)).isEmpty();
  }
}
