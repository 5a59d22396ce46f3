package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.GroupTotal;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.group.NaiveGroups;
import io.weir.internal.group.NaiveGroups.Emission;
import io.weir.internal.group.SensorPart;
import io.weir.reading.GatewayRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Windows of groups with their changelog, against one that keeps everything. */
class GroupStateTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());
  private static final int HISTORIES = Integer.getInteger("weir.histories", 40);
  private static final List<String> SENSORS =
      List.of(
          "a/1",
          "a/2",
          "a/\uD83D\uDE00",
          "a/\uFFFD",
          "b",
          "b/x",
          "c/1",
          "c/2",
          "c/3",
          "d",
          "e",
          "f",
          "g",
          "h/1",
          "h/2");

  private final Random random = new Random(SEED);
  private final Map<ByteBuffer, byte[]> changelog = new HashMap<>();
  private final List<Emission> emitted = new ArrayList<>();

  /** There is no room for all windows. */
  private boolean isTight;

  private final Groups.Sink sink =
      new Groups.Sink() {
        @Override
        public void emit(Name window, GroupTotal total, int revision) {
          emitted.add(new Emission(window, total, revision));
        }

        @Override
        public void dropped(Name window, boolean early) {
          assertThat(early && !isTight).isFalse();
        }
      };

  /** Emissions are those of the oracle, restarts and standbys in the midst included. */
  @Test
  void anyHistory_isThatOfTheOracle_acrossRestarts() {
    for (int history = 0; history < HISTORIES; history++) {
      try {
        changelog.clear();
        emitted.clear();
        play();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + SEED + " (-Dweir.seed=" + SEED + ")", e);
      }
    }
  }

  /** An old replica brings the window back after the mark of its deletion is gone. */
  @Test
  void windowLeftOut_isDeleted_andStaysLeftOut_afterARestart() {
    Name name = new Name("a", 1_000, 1_100);
    GroupState state = new GroupState(GroupSpec.DEFAULT, GatewayRules.of(0));
    state.observe(1_000, 0, Uuid.ZERO_UUID);
    state.groups().put(name, "a/1", part(), 1_000, sink);
    state.flush(this::change);
    Map<ByteBuffer, byte[]> replica = new HashMap<>(changelog);
    state.deletedUnread(3, false, 1_010);
    state.observe(1_010, 4, Uuid.ZERO_UUID);
    assertThat(state.groups().takeLeftOut()).isEqualTo(1);
    state.flush(this::change);
    assertThat(changelog.keySet())
        .extracting(key -> key.get(0))
        .containsExactlyInAnyOrder(StateKey.META, StateKey.WITHHELD);

    replica.putAll(changelog);
    changelog.putAll(replica);
    GroupState restarted = restarted(GroupSpec.DEFAULT, state);
    assertThat(restarted.groups().size()).isZero();
    assertThat(restarted.groups().put(name, "a/2", part(), 2_000, sink))
        .isEqualTo(Groups.Outcome.LEFT_OUT);
    restarted.observe(20_000, 5, Uuid.ZERO_UUID);
    restarted.groups().doDue(20_000, 100, sink);
    assertThat(emitted).isEmpty();
    restarted.flush(this::change);
    assertThat(changelog).hasSize(2);
  }

  private void play() {
    isTight = random.nextBoolean();
    int keepMs = isTight ? 20_000 : 100 + random.nextInt(900);
    int maxBytes = isTight ? 120_000 : 1 << 20;
    GroupSpec spec = new GroupSpec(50, 50 + random.nextInt(200), keepMs, 1L << 40, 3, maxBytes);
    NaiveGroups oracle = new NaiveGroups(spec);
    GroupState state = new GroupState(spec, GatewayRules.of(0));
    long logMs = 1_000;
    for (int step = 0; step < 400; step++) {
      logMs += random.nextInt(10) == 0 ? random.nextInt(600) : random.nextInt(20);
      state.observe(logMs, step, Uuid.ZERO_UUID);
      int first = emitted.size();
      int firstExpected = oracle.emitted().size();
      if (random.nextInt(8) > 0) {
        int skewed = Math.min(random.nextInt(SENSORS.size()), random.nextInt(SENSORS.size()));
        String sensor = SENSORS.get(skewed);
        long startMs = 100L * random.nextInt(isTight ? 120 : 30);
        String group = sensor.startsWith("c") ? sensor : sensor.split("/")[0];
        Name name = new Name(group, startMs, startMs + 100);
        SensorPart part = part();
        assertThat(state.groups().put(name, sensor, part, logMs, sink))
            .isEqualTo(oracle.put(name, sensor, part, logMs));
      }
      while (state.groups().doDue(logMs, 1 + random.nextInt(3), sink)) {
        // The rest is done with the next record.
      }
      oracle.doDue(logMs);
      assertThat(sorted(emitted.subList(first, emitted.size())))
          .isEqualTo(sorted(oracle.emitted().subList(firstExpected, oracle.emitted().size())));
      if (random.nextInt(20) == 0) {
        state.flush(this::change);
      }
      if (random.nextInt(30) == 0) {
        state.flush(this::change);
        long bytes = state.groups().bytes();
        state = restarted(spec, state);
        assertThat(state.groups().bytes()).isEqualTo(bytes);
      }
    }
    state.observe(logMs + 1_000_000, 400, Uuid.ZERO_UUID);
    state.groups().doDue(logMs + 1_000_000, 1_000_000, sink);
    oracle.doDue(logMs + 1_000_000);
    assertThat(emitted).hasSameSizeAs(oracle.emitted());
    state.flush(this::change);
    changelog.remove(ByteBuffer.wrap(StateKey.meta()));
    assertThat(changelog.keySet()).allMatch(key -> key.get(0) == GroupEntries.DROPPED);
  }

  private void change(byte[] key, byte[] value) {
    if (value == null) {
      changelog.remove(ByteBuffer.wrap(key));
    } else {
      changelog.put(ByteBuffer.wrap(key), value);
    }
  }

  /** Entries in any order; sometimes into a state that had other ones before. */
  private GroupState restarted(GroupSpec spec, GroupState before) {
    GroupState state = new GroupState(spec, GatewayRules.of(0));
    List<ByteBuffer> keys = new ArrayList<>(changelog.keySet());
    Collections.shuffle(keys, random);
    if (random.nextBoolean()) {
      for (ByteBuffer key : keys.subList(0, keys.size() / 2)) {
        state.restore(key.array(), changelog.get(key));
        if (key.get(0) != StateKey.META) {
          state.restore(key.array(), null);
        }
      }
    }
    keys.forEach(key -> state.restore(key.array(), changelog.get(key)));
    state.resume();
    before.clear();
    return state;
  }

  private SensorPart part() {
    int count = random.nextInt(4);
    double[] rest = new double[random.nextInt(3)];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = (random.nextDouble() - 0.5) * 1e-17;
    }
    double sum =
        switch (random.nextInt(12)) {
          case 0 -> 1.7e308;
          case 1 -> random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
          case 2 -> -1.7e308;
          default -> random.nextGaussian();
        };
    return new SensorPart(
        count, random.nextInt(3), sum, rest, random.nextInt(3) - 3, random.nextInt(3));
  }

  private static List<Emission> sorted(List<Emission> emissions) {
    List<Emission> sorted = new ArrayList<>(emissions);
    sorted.sort(
        Comparator.<Emission, String>comparing(emission -> emission.window().group())
            .thenComparing(emission -> emission.window().startMs())
            .thenComparing(Emission::revision));
    return sorted;
  }
}
