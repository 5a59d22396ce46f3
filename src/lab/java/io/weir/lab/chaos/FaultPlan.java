package io.weir.lab.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The faults of a seed, lane by lane: the same for the same seed and kinds, and longer the more
 * time there is. A lane goes through its list, and has to wait for processes to come back in
 * between: the end of a list may not be reached.
 */
final class FaultPlan {
  private static final int TARGETS = 12;
  private static final long SHORTEST_ZOMBIE_MS = 15_000;
  private static final long LONGEST_ZOMBIE_MS = 60_000;

  private final Map<FaultKind.Lane, List<PlannedFault>> lanes = new EnumMap<>(FaultKind.Lane.class);

  private FaultPlan() {}

  /**
   * Plans.
   *
   * @param pauses factor of the pauses between two faults of a lane, from 1
   * @param most how often a kind is had at the most; a kind that is absent is not had
   */
  static FaultPlan of(long seed, Duration duration, int pauses, Map<FaultKind, Integer> most) {
    FaultPlan plan = new FaultPlan();
    for (FaultKind.Lane lane : FaultKind.Lane.values()) {
      Map<FaultKind, Integer> left = new HashMap<>(most);
      left.keySet().removeIf(kind -> kind.lane() != lane);
      // Nothing comes after it.
      left.computeIfPresent(FaultKind.REFUSAL, (kind, times) -> 1);
      Random random = new Random(seed * 31 + lane.ordinal());
      plan.lanes.put(lane, lane(random, duration.toMillis(), pauses, left));
    }
    return plan;
  }

  private static List<PlannedFault> lane(
      Random random, long durationMs, int pauses, Map<FaultKind, Integer> left) {
    List<PlannedFault> faults = new ArrayList<>();
    long atMs = 0;
    while (atMs < durationMs) {
      FaultKind kind = choose(random, left);
      if (kind == null) {
        break;
      }
      left.merge(kind, -1, Integer::sum);
      PlannedFault fault = fault(random, kind, pauses, durationMs / 4);
      faults.add(fault);
      atMs += fault.pauseMs() + fault.holdMs();
    }
    return faults;
  }

  private static FaultKind choose(Random random, Map<FaultKind, Integer> left) {
    List<FaultKind> urn = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      for (int i = 0; i < kind.weight() && left.getOrDefault(kind, 0) > 0; i++) {
        urn.add(kind);
      }
    }
    return urn.isEmpty() ? null : urn.get(random.nextInt(urn.size()));
  }

  private static PlannedFault fault(Random random, FaultKind kind, int pauses, long longestMs) {
    long longestZombieMs = Math.min(longestMs, LONGEST_ZOMBIE_MS);
    int target = random.nextInt(TARGETS);
    long pauseMs = pauses * (500L + random.nextInt(3_500));
    long shortMs = random.nextInt(4_000);
    long longMs = 4_000 + random.nextInt(8_000);
    long amount = 0;
    long holdMs = longMs;
    switch (kind) {
      case APP_KILL,
          STATE_WIPE,
          EVENTS_KILL,
          EVENTS_WIPE,
          EVENTS_RESTART,
          SINK_KILL,
          COLLECTOR_KILL,
          IMPORT_KILL,
          IMPORT_RESTART ->
          holdMs = random.nextInt(4) == 0 ? longMs : shortMs / 4;
      case ZOMBIE, EVENTS_ZOMBIE, SINK_ZOMBIE, COLLECTOR_ZOMBIE, IMPORT_ZOMBIE ->
          holdMs =
              SHORTEST_ZOMBIE_MS
                  + (long)
                      (random.nextDouble() * Math.max(0, longestZombieMs - SHORTEST_ZOMBIE_MS));
      case EDIT_RULES, RESET, FAILOVER, COLLECTOR_FAILOVER, ROLLING_RESTART, POISON -> holdMs = 0;
      case DUMP, LONG_READER -> holdMs = random.nextInt(3) == 0 ? 3 * longMs : longMs;
      case SLOW_DISK -> amount = 1 + random.nextInt(60);
      case BACKEND_KILL -> holdMs = shortMs / 4;
      case BROKER_KILL, DISK_FULL ->
          holdMs = BrokerNode.AWAY.toMillis() + (random.nextInt(3) == 0 ? longMs : shortMs);
      case POSTGRES_KILL -> holdMs = random.nextInt(3) == 0 ? longMs : shortMs;
      case HALF_OPEN -> holdMs = random.nextInt(3) == 0 ? 3 * longMs : longMs;
      case CUT -> holdMs = random.nextInt(4) == 0 ? longMs : shortMs;
      case DELAY -> amount = 20 + random.nextInt(500);
      case GATEWAY_RESUME, GATEWAY_NEW_BOOT, GATEWAY_EMPTY -> holdMs = shortMs / 4;
      case SKEW -> amount = either(random, SKEWS_MS);
      case BROKER_CLOCK -> amount = either(random, CLOCKS_MS);
      case BROKER_CLOCK_DAYS -> amount = either(random, CLOCKS_DAYS_MS);
      case LEADER_AWAY -> holdMs = Math.min(longestMs, 60_000 + 10 * longMs);
      case FORGET -> holdMs = 2 * longMs;
      case APP_OOM -> amount = 16 + random.nextInt(24);
      case SILENCE -> amount = random.nextInt(1_500);
      case REDRIVE -> {
        amount = random.nextInt(12);
        holdMs = random.nextInt(3) == 0 ? shortMs : 0;
      }
      case HOSTILE, REFUSAL, IMPORT_GROW, IMPORT_REMAKE -> holdMs = 0;
      case LOSE_STATE -> amount = random.nextInt(2);
      case DELETE_RECORDS, IDLE, RECYCLE, GATEWAY_OOM, SEND_EVENTS, ROWS_REFUSED -> {}
    }
    return new PlannedFault(kind, target, pauseMs, holdMs, amount);
  }

  private static long either(Random random, long[] amountsMs) {
    return amountsMs[random.nextInt(amountsMs.length)];
  }

  /** A broker's, both ways: any two of them differ by less than an hour. */
  private static final long[] CLOCKS_MS = {
    2_000, 20_000, 600_000, 1_500_000, -2_000, -20_000, -600_000, -1_500_000
  };

  /** Less than what is kept on any topic. */
  private static final long[] CLOCKS_DAYS_MS = {
    7_200_000, 90_000_000, 172_800_000, -7_200_000, -90_000_000, -172_800_000
  };

  /** Ahead as far as it is accepted, ahead beyond, a little and far behind. */
  private static final long[] SKEWS_MS = {15_000, 90_000, -5_000, -600_000};

  boolean isEmpty() {
    return lanes.values().stream().allMatch(List::isEmpty);
  }

  List<PlannedFault> lane(FaultKind.Lane lane) {
    return lanes.get(lane);
  }

  /** All of it in words, a line for each fault. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lanes.forEach(
        (lane, faults) -> {
          for (int i = 0; i < faults.size(); i++) {
            lines.add(
                "plan "
                    + lane.name().toLowerCase(java.util.Locale.ROOT)
                    + " "
                    + (i + 1)
                    + ": "
                    + faults.get(i));
          }
        });
    return lines;
  }
}
