package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.event.TimerLimits;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import io.weir.reading.OwnSequences;
import io.weir.reading.OwnSequences.Target;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a task numbers its own batches with, over restarts and losses of records or states. */
class OwnSequencesTest {
  private static final GatewayRules GATEWAYS = new GatewayRules(1_000, 1_000, 1_000, 100);
  private static final Target A = new Target("weir.events", 7);
  private static final Target B = new Target("weir.scheduled", 7);
  private static final long WALL_MS = 5_000_000;

  /** A state of each kind of task that sends. */
  private enum Kind {
    READINGS,
    TIMERS,
    HANDLERS;

    InputState make() {
      return switch (this) {
        case READINGS ->
            new PartitionState(
                WindowSpec.of(10, 0, 0, 1_000, WindowSpec.IdleRule.ENDED, Long.MAX_VALUE),
                GATEWAYS,
                WindowLimits.ofSensors(10));
        case TIMERS -> new TimerState(TimerLimits.DEFAULT, GATEWAYS, 1_000);
        case HANDLERS -> new KeyedState(1_000, TimerLimits.DEFAULT, GATEWAYS);
      };
    }
  }

  private final Changelog log = new Changelog();
  private long offset;

  private static OwnSequences own(InputState state) {
    if (state instanceof PartitionState readings) {
      return readings.own();
    }
    return state instanceof TimerState timers
        ? timers.senders().own()
        : ((KeyedState) state).senders().own();
  }

  /** Applies a record with which batches are sent. */
  private long send(InputState state, long appendMs, Target... targets) {
    state.observe(appendMs, offset++, Uuid.ZERO_UUID);
    own(state).begin(appendMs, WALL_MS);
    long last = 0;
    for (Target target : targets) {
      last = own(state).next(target);
    }
    return last;
  }

  private InputState restored(Kind kind, Function<Changelog, Changelog> of) {
    InputState next = kind.make();
    of.apply(log).replay(0, next);
    next.resume();
    return next;
  }

  @ParameterizedTest
  @EnumSource
  void afterARestart_theBootGoesOn(Kind kind) {
    InputState state = kind.make();
    send(state, 2_000_000, A, A, B);
    long boot = own(state).bootId();
    state.flush(log);

    InputState next = restored(kind, whole -> whole);
    assertThat(send(next, 3_000_000, A)).isEqualTo(3);
    assertThat(own(next).bootId()).isEqualTo(boot);
  }

  @ParameterizedTest
  @EnumSource
  void afterALoss_aLaterBootBegins_whateverTheClockSays_andOlderSequencesAreForgotten(Kind kind) {
    InputState state = kind.make();
    send(state, 2_000_000, A, A, B);
    long boot = own(state).bootId();
    state.flush(log);

    InputState next = restored(kind, whole -> whole);
    next.deletedUnread(5, true, 1_500_000);
    assertThat(send(next, 1_500_000, A)).isEqualTo(1);
    long later = own(next).bootId();
    assertThat(later).isGreaterThan(boot);
    next.flush(log);

    InputState last = restored(kind, whole -> whole.compacted(true));
    assertThat(send(last, 1_600_000, B)).isEqualTo(1);
    assertThat(send(last, 1_600_000, A)).isEqualTo(2);
    assertThat(own(last).bootId()).isEqualTo(later);
  }

  /** Such as alarms that are off for a while. */
  @ParameterizedTest
  @EnumSource
  void lossWhileNothingIsSent_isKnownAfterARestart(Kind kind) {
    InputState state = kind.make();
    send(state, 2_000_000, A, A);
    long boot = own(state).bootId();
    state.deletedUnread(5, true, 3_000_000);
    state.observe(3_000_000, offset++, Uuid.ZERO_UUID);
    state.flush(log);

    InputState next = restored(kind, whole -> whole);
    assertThat(send(next, 4_000_000, A)).isEqualTo(1);
    assertThat(own(next).bootId()).isGreaterThan(boot);
  }
}
