package io.weir.cli.plan;

import io.weir.internal.event.Decoded;
import io.weir.internal.event.EventColumns;
import io.weir.internal.event.FoldReason;
import io.weir.internal.event.FoldSpec;
import io.weir.internal.event.TimerLimits;
import io.weir.internal.store.FoldState;
import io.weir.internal.store.HeapState;
import io.weir.internal.store.TimerState;
import io.weir.internal.wire.FoldedEventEncoder;
import io.weir.reading.GatewayRules;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.Value;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import javax.management.JMException;
import org.apache.kafka.common.Uuid;

/** Scheduled events or folds of one partition, in a process of its own. */
final class PlannedEvents {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final int IN_A_BATCH = 10;

  private final Decoded decoded = new Decoded();
  private final MeasuredLog log = new MeasuredLog();
  private final int count;
  private final int fields;

  private PlannedEvents(int count, int fields) {
    this.count = count;
    this.fields = fields;
  }

  /**
   * Says a figure a line.
   *
   * @param args timers or folds, how many, fields of each
   */
  public static void main(String[] args) throws JMException {
    PlannedEvents events = new PlannedEvents(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    HeapState state = args[0].equals("timers") ? events.timers() : events.folds();
    double heap = MeasuredHeap.bytes();
    Reference.reachabilityFence(state);
    state = null;
    say("heap-bytes", heap - MeasuredHeap.bytes());
  }

  /** They wait; others like them are written and fired, for the bytes of both. */
  private TimerState timers() {
    TimerState fired = ordered();
    fired.timers().fire(Long.MAX_VALUE, count, (timer, dueMs, missed) -> {}, timer -> {});
    fired.observe(NOW_MS, 2, Uuid.ZERO_UUID);
    fired.flush(log::add);
    say("deletion-bytes", log.sent());
    TimerState waiting = ordered();
    log.sent();
    return waiting;
  }

  private TimerState ordered() {
    TimerState state = new TimerState(TimerLimits.DEFAULT, GatewayRules.of(300_000), 60_000);
    state.observe(NOW_MS, 1, Uuid.ZERO_UUID);
    each(
        i -> event(i, i % 1000).setId("check-" + i).setDueMs(NOW_MS + 600_000 + i).build(),
        (batch, at) -> state.timers().order(batch, at));
    state.flush(log::add);
    say("live-bytes", log.bytes());
    say("entry-bytes", log.sent());
    return state;
  }

  private FoldState folds() {
    FoldState ended = folded();
    MeasuredLog folds = new MeasuredLog();
    ended
        .folds()
        .endDue(
            Long.MAX_VALUE / 2,
            count,
            (fold, reason) ->
                folds.add(fold.key(), FoldedEventEncoder.encode(fold, FoldReason.QUIET)));
    say("folded-bytes", folds.sent());
    ended.observe(NOW_MS, 2, Uuid.ZERO_UUID);
    ended.flush(log::add);
    say("deletion-bytes", log.sent());
    FoldState open = folded();
    log.sent();
    return open;
  }

  private FoldState folded() {
    FoldState state = new FoldState(FoldSpec.DEFAULT, GatewayRules.of(300_000));
    state.observe(NOW_MS, 1, Uuid.ZERO_UUID);
    each(
        i -> event(i, i).build(),
        (batch, at) -> state.folds().add(batch, at, 1, 1, (fold, reason) -> {}));
    state.flush(log::add);
    say("live-bytes", log.bytes());
    say("entry-bytes", log.sent());
    return state;
  }

  /** Takes one of a batch. */
  @FunctionalInterface
  private interface Step {
    void take(EventColumns batch, int at);
  }

  /** In batches of ten, as a gateway sends them. */
  private void each(IntFunction<Event> make, Step step) {
    MeasuredLog topic = new MeasuredLog();
    long messages = 0;
    for (int from = 0; from < count; from += IN_A_BATCH) {
      List<Event> events = new ArrayList<>();
      for (int i = from; i < from + IN_A_BATCH; i++) {
        events.add(make.apply(i));
        messages += events.get(i - from).getSerializedSize();
      }
      EventBatch batch =
          EventBatch.newBuilder()
              .setGatewayId("gateway-7")
              .setBootId(NOW_MS)
              .setSequence(from)
              .addAllEvents(events)
              .build();
      topic.add("gateway-7".getBytes(StandardCharsets.UTF_8), batch.toByteArray());
      EventColumns columns = decoded.of(batch);
      for (int at = 0; at < IN_A_BATCH; at++) {
        step.take(columns, at);
      }
    }
    say("message-bytes", (double) messages / count);
    say("topic-bytes", topic.published());
  }

  private Event.Builder event(int i, int key) {
    Event.Builder event =
        Event.newBuilder()
            .setKey("line-" + key)
            .setSubject("press-" + i % 97)
            .setType("measured")
            .setTimestampMs(NOW_MS + i * 13L);
    for (int field = 0; field < fields; field++) {
      double value = Math.round(1e4 * Math.sin(i * 31.0 + field)) / 100.0;
      event.putFields("temperature-" + field, Value.newBuilder().setDoubleValue(value).build());
    }
    return event;
  }

  private static void say(String figure, double value) {
    System.out.println(figure + " " + value);
  }
}
