package io.weir.keyed;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.EventJudge;
import io.weir.internal.event.EventRefusal;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.ops.KeyedMeters;
import io.weir.internal.store.KeyedState;
import io.weir.internal.topology.ControlLog;
import io.weir.internal.wire.EventDecoder;
import io.weir.reading.GatewayRules;
import io.weir.reading.IdPermit;
import io.weir.reading.Limits;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;

/**
 * The pace of handlers without a broker: 100,000 keys, batches of 1,000 events of two fields, each
 * event counted in its key's state; what changed is encoded for the changelog every 50,000 events.
 * With {@code kafka} as its argument through an application of two threads and a broker in the same
 * process.
 */
public final class KeyedFigures {
  private static final int KEYS = 100_000;
  private static final int BATCHES = 500;
  private static final int EVENTS_A_COMMIT = 50_000;

  private KeyedFigures() {}

  /** Counts, in its state. */
  static final class Counting implements KeyHandler {
    @Override
    public void start(KeyContext key) {
      key.setState(new byte[Long.BYTES]);
    }

    @Override
    public Outcome event(KeyContext key, Event event) {
      ByteBuffer state = ByteBuffer.wrap(key.state());
      state.putLong(0, state.getLong(0) + 1);
      key.setState(state.array());
      return Outcome.CONTINUE;
    }
  }

  private static final class NoDeadLetters implements KeyLifecycle.DeadLetters {
    @Override
    public void failed(HeldEvent event, KeyLifecycle.Trigger from, Calls.Failure failure) {
      throw new IllegalStateException(failure.cause());
    }

    @Override
    public void retries(int failures, long inMs, Calls.Failure failure) {
      throw new IllegalStateException(failure.cause());
    }

    @Override
    public void unhandled(HeldEvent event, EventRefusal reason) {
      throw new IllegalStateException();
    }
  }

  public static void main(String[] args) throws Exception {
    if (List.of(args).contains("kafka")) {
      KeyedPace.main(args);
    } else {
      engine();
    }
  }

  private static void engine() throws Exception {
    List<byte[]> batches = batches();
    KeyedState state = new KeyedState(3_600_000, TimerLimits.DEFAULT, GatewayRules.of(300_000));
    KeyedPlan plan =
        new KeyedPlan(
            "weir.events",
            Counting::new,
            StartOn.ANY_EVENT,
            OnFailure.GO_ON,
            Retries.NONE,
            3_600_000,
            Outputs.none("state"),
            KeyedLimits.DEFAULT,
            new CallTimes(() -> 0, CallTimes.DEFAULT_MS),
            () -> {},
            why -> {},
            ControlLog.NONE,
            null);
    KeyedMeters measures = new KeyedMeters(new SimpleMeterRegistry());
    Calls calls = new Calls(plan, state, measures, emitted -> {});
    KeyLifecycle life =
        new KeyLifecycle(plan, 0, "weir/figures/0", state, calls, measures, new NoDeadLetters());
    EventDecoder decoder = new EventDecoder(Limits.DEFAULT);
    // One partition, so that none is misrouted: the keys are those of all.
    EventJudge judge = new EventJudge(EventJudge.Kind.HAPPENED, 0, 1, 256, 300_000);
    long offset = 0;
    for (int round = 0; round < 10; round++) {
      long events = 0;
      long flushNs = 0;
      long[] bytes = {0};
      long beginNs = System.nanoTime();
      for (byte[] batch : batches) {
        long appendMs = 1_700_000_000_000L + offset / 200;
        EventColumns columns = decoder.decode(batch);
        state.observe(appendMs, offset++, Uuid.ZERO_UUID);
        life.at(appendMs, state.position().time().logMs(), 0);
        judge.judge(columns, appendMs, appendMs, IdPermit.ALL);
        for (int i = 0; i < columns.size(); i++) {
          life.event(columns, i);
        }
        life.due(1_000);
        events += columns.size();
        if (events % EVENTS_A_COMMIT == 0) {
          long fromNs = System.nanoTime();
          state.flush((key, value) -> bytes[0] += key.length + (value == null ? 0 : value.length));
          flushNs += System.nanoTime() - fromNs;
        }
      }
      double seconds = (System.nanoTime() - beginNs) / 1e9;
      System.out.printf(
          "handlers: %,d events of %,d keys in %.2f s, %,.0f/s on one thread; encoding %.0f %%,"
              + " %,d bytes of changelog%n",
          events,
          state.keys().started(),
          seconds,
          events / seconds,
          flushNs / seconds / 1e7,
          bytes[0]);
    }
  }

  private static List<byte[]> batches() {
    List<byte[]> batches = new ArrayList<>();
    for (int n = 0; n < BATCHES; n++) {
      EventBatch.Builder batch = EventBatch.newBuilder();
      for (int i = 0; i < 1_000; i++) {
        batch.addEvents(event((int) ((n * 1_000L + i) * 7_919 % KEYS)));
      }
      batches.add(batch.build().toByteArray());
    }
    return batches;
  }

  static Event event(int key) {
    return Event.newBuilder()
        .setKey("account_" + key)
        .setSubject("post_" + key % 10)
        .setType("metrics")
        .setTimestampMs(1_700_000_000_000L)
        .putFields("likes", Value.newBuilder().setInt64Value(key).build())
        .putFields("shares", Value.newBuilder().setInt64Value(5).build())
        .build();
  }
}
