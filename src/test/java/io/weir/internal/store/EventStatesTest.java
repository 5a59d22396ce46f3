package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.weir.Seeds;
import io.weir.internal.event.Decoded;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.Fold;
import io.weir.internal.event.FoldReason;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.Folds;
import io.weir.internal.event.NaiveFolds;
import io.weir.internal.event.NaiveTimers;
import io.weir.internal.event.RandomEvents;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.event.Timers.Outcome;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.reading.GatewayRules;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.FoldedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Timers and folds over restarts, moves to standbys and back, compared with naive ones. */
class EventStatesTest {
  private static final GatewayRules GATEWAYS = new GatewayRules(1_000, 1_000, 1_000, 100);

  private final Decoded decoded = new Decoded();
  private final Map<ByteBuffer, byte[]> changelog = new LinkedHashMap<>();

  private void put(byte[] key, byte[] value) {
    changelog.remove(ByteBuffer.wrap(key));
    if (value != null) {
      changelog.put(ByteBuffer.wrap(key), value);
    }
  }

  private <S extends HeapState> S readBack(S state) {
    changelog.forEach((key, value) -> state.restore(key.array(), value));
    state.resume();
    return state;
  }

  @Test
  void timers_overRestarts_fireAsIfThereWereNone() {
    Seeds.forEach(100, this::fireOverRestarts);
  }

  private void fireOverRestarts(Random random) throws Exception {
    changelog.clear();
    TimerLimits limits = new TimerLimits(100, 100, 300 + random.nextInt(1_000), 2_000);
    RandomEvents events = new RandomEvents(random);
    NaiveTimers naive = new NaiveTimers(limits);
    TimerState state = readBack(new TimerState(limits, GATEWAYS, 60_000));
    TimerState standby = new TimerState(limits, GATEWAYS, 60_000);
    long nowMs = 1_000_000;
    for (int offset = 0; offset < 100; offset++) {
      nowMs += random.nextInt(1_500);
      state.observe(nowMs, offset, Uuid.ZERO_UUID);
      EventBatch batch = events.orders(4, nowMs);
      EventColumns columns = decoded.of(batch);
      for (int i = 0; i < columns.size(); i++) {
        boolean taken = state.timers().order(columns, i) != Outcome.TOO_MANY;
        assertThat(taken).isEqualTo(naive.order(batch, i));
      }
      int most = random.nextInt(5);
      EventBatchEncoder encoder = new EventBatchEncoder();
      List<ByteString> expired = new ArrayList<>();
      state
          .timers()
          .fire(
              nowMs, most, encoder::add, timer -> expired.add(ByteString.copyFrom(timer.event())));
      assertThat(EventBatch.parseFrom(encoder.take()).getEventsList())
          .isEqualTo(naive.due(nowMs, most));
      assertThat(expired).isEqualTo(naive.expired().stream().map(Event::toByteString).toList());
      assertThat(state.timers().bytes()).isEqualTo(naive.bytes());
      if (random.nextInt(3) == 0) {
        TimerState other = standby;
        state.flush(
            (key, value) -> {
              put(key, value);
              other.restore(key, value);
            });
        if (random.nextInt(3) == 0) {
          standby.resume();
          TimerState before = state;
          state = standby;
          standby = before;
        } else if (random.nextBoolean()) {
          state = readBack(new TimerState(limits, GATEWAYS, 60_000));
        }
        assertThat(state.position().nextOffset()).isEqualTo(offset + 1);
      }
    }
  }

  @Test
  void folds_overRestarts_areThoseOfOnePass() {
    Seeds.forEach(100, this::foldOverRestarts);
  }

  private void foldOverRestarts(Random random) throws Exception {
    changelog.clear();
    FoldSpec spec = new FoldSpec(20, 60, 4, 1_000 + random.nextInt(4_000));
    RandomEvents events = new RandomEvents(random);
    NaiveFolds naive = new NaiveFolds(spec);
    FoldState state = readBack(new FoldState(spec, GATEWAYS));
    FoldState standby = new FoldState(spec, GATEWAYS);
    List<FoldedEvent> emitted = new ArrayList<>();
    Folds.Sink sink = (fold, reason) -> emitted.add(parsed(fold, reason));
    long nowMs = 1_000_000;
    for (int offset = 0; offset < 150; offset++) {
      nowMs += random.nextInt(5);
      state.observe(nowMs, offset, Uuid.ZERO_UUID);
      long logMs = state.position().time().logMs();
      EventBatch batch = events.batch(4, 5);
      EventColumns columns = decoded.of(batch);
      for (int i = 0; i < columns.size(); i++) {
        state.folds().add(columns, i, offset, logMs, sink);
        naive.add(batch, offset, i, logMs);
      }
      state.folds().endDue(logMs, 1_000, sink);
      naive.endDue(logMs);
      assertThat(emitted).containsExactlyInAnyOrderElementsOf(naive.take());
      assertThat(state.folds().bytes()).isEqualTo(naive.bytes());
      emitted.clear();
      if (random.nextInt(3) == 0) {
        FoldState other = standby;
        state.flush(
            (key, value) -> {
              put(key, value);
              other.restore(key, value);
            });
        if (random.nextInt(3) == 0) {
          standby.resume();
          FoldState before = state;
          state = standby;
          standby = before;
        } else if (random.nextBoolean()) {
          state = readBack(new FoldState(spec, GATEWAYS));
        }
      }
    }
  }

  private static FoldedEvent parsed(Fold fold, FoldReason reason) {
    try {
      return FoldedEvent.parseFrom(FoldedEventEncoder.encode(fold, reason));
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** Of a thousand fields a commit writes the part in which one changed. */
  @Test
  void foldOfManyFields_writesWhatChanged_andLeavesNothingBehind() {
    FoldState state = readBack(new FoldState(FoldSpec.DEFAULT, GATEWAYS));
    List<FoldedEvent> emitted = new ArrayList<>();
    Folds.Sink sink = (fold, reason) -> emitted.add(parsed(fold, reason));
    RandomEvents values = new RandomEvents(new Random(1));
    for (int i = 0; i < 200; i++) {
      add(
          state,
          values.event("k", 5).toBuilder().clearType().setSubject("s" + i),
          "f" + i,
          i,
          sink);
    }
    state.flush(this::put);
    List<byte[]> written = new ArrayList<>();
    add(state, Event.newBuilder().setKey("k").setTimestampMs(9), "f100", 200, sink);
    state.flush((key, value) -> written.add(key));
    assertThat(written).hasSize(3); // Head, part of the fields, position.

    FoldState again = readBack(new FoldState(FoldSpec.DEFAULT, GATEWAYS));
    again.observe(1L << 40, 201, Uuid.ZERO_UUID);
    again.folds().endDue(1L << 40, 10, sink);
    assertThat(emitted.get(0).getFieldsMap()).hasSizeGreaterThanOrEqualTo(200);
    assertThat(emitted.get(0).getSubjectCount()).isEqualTo(200);
    again.flush(this::put);
    // The position, and the newest append time, which is an hour and more behind it.
    assertThat(changelog).hasSize(2);
  }

  private void add(FoldState state, Event.Builder event, String field, int at, Folds.Sink sink) {
    event.putFields(field, io.weir.v1.Value.newBuilder().setInt64Value(at).build());
    state.observe(1_000 + at, at, Uuid.ZERO_UUID);
    EventColumns columns = decoded.of(EventBatch.newBuilder().addEvents(event).build());
    state.folds().add(columns, 0, at, state.position().time().logMs(), sink);
  }

  @Test
  void foldThatEndsBeforeACommit_writesNothing() {
    FoldState state = readBack(new FoldState(new FoldSpec(10, 20, 5, 1 << 20), GATEWAYS));
    Folds.Sink sink = (fold, reason) -> {};
    add(state, Event.newBuilder().setKey("k").setTimestampMs(9), "f", 0, sink);
    state.folds().endDue(5_000, 1, sink);
    List<byte[]> written = new ArrayList<>();
    state.flush((key, value) -> written.add(key));
    assertThat(written).hasSize(1); // The position.
  }

  @Test
  void missingPart_isNoState() {
    FoldState state = readBack(new FoldState(FoldSpec.DEFAULT, GATEWAYS));
    add(state, Event.newBuilder().setKey("k").setTimestampMs(9), "f", 0, (fold, reason) -> {});
    state.flush(this::put);
    changelog.keySet().removeIf(key -> key.get(0) == 'f');
    assertThatThrownBy(() -> readBack(new FoldState(FoldSpec.DEFAULT, GATEWAYS)))
        .isInstanceOf(StateMismatchException.class)
        .hasMessageContaining("part of a fold");
  }
}
