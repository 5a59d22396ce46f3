package io.weir.cli.plan;

import com.google.protobuf.CodedInputStream;
import io.weir.internal.alarm.AlarmTransition;
import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.JudgingSink;
import io.weir.internal.alarm.KeptStatus;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.StatusPlan;
import io.weir.internal.alarm.StatusSink;
import io.weir.internal.store.PartitionState;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.HoppingPlan;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSink;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import io.weir.reading.ReadingColumns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import org.apache.kafka.common.Uuid;

/**
 * A fleet whose sensors send evenly over their period, applied as one partition and committed, in a
 * process of its own: heap is measured, and whatever else ran in a JVM leaves some behind.
 */
final class PlannedLoad {
  static final long WINDOW_MS = 10_000;

  private static final long START_MS = 1_700_000_000_000L;
  private static final long GRACE_MS = 5_000;

  /** Longer than the records of changes last that are kept. */
  private static final long LENGTH_MS = 200_000;

  private final int sensors;
  private final long periodMs;
  private final long commitMs;
  private PartitionState state;
  private final Emissions emissions = new Emissions();
  private WindowSink sink = emissions;
  private final Map<ByteBuffer, Integer> live = new HashMap<>();
  private long entries;
  private final MeasuredLog hopping = new MeasuredLog();
  private long liveNow;
  private long liveOfLast;
  private long emitted;

  private PlannedLoad(
      int sensors,
      long periodMs,
      long latenessMs,
      long hoppingMs,
      boolean emitsStatus,
      long commitMs) {
    this.sensors = sensors;
    this.periodMs = periodMs;
    this.commitMs = commitMs;
    WindowSpec spec =
        WindowSpec.of(WINDOW_MS, GRACE_MS, latenessMs, 30_000, WindowSpec.IdleRule.ENDED, 1L << 40);
    if (hoppingMs > 0) {
      spec = spec.with(HoppingPlan.of(WINDOW_MS, hoppingMs, List.of()));
    }
    StatusPlan status =
        new StatusPlan(emitsStatus, 300_000, Rules.NONE, WINDOW_MS, GroupTemplate.DEFAULT);
    this.state =
        new PartitionState(
            spec, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000_000), status);
    if (emitsStatus) {
      state.statuses().sendTo(new SilentSink());
      sink = new JudgingSink(emissions, state.statuses());
    }
  }

  /**
   * Says a figure a line.
   *
   * @param args how many sensors, the period in milliseconds, the allowed lateness in milliseconds,
   *     the length of hopping windows in milliseconds or 0, whether there is status, the time
   *     between two commits in milliseconds
   */
  public static void main(String[] args) throws JMException {
    PlannedLoad load =
        new PlannedLoad(
            Integer.parseInt(args[0]),
            Long.parseLong(args[1]),
            Long.parseLong(args[2]),
            Long.parseLong(args[3]),
            Boolean.parseBoolean(args[4]),
            Long.parseLong(args[5]));
    load.run();
    double seconds = LENGTH_MS / 1000.0;
    say("entries-a-second", load.entries / seconds);
    say("summaries-a-second", load.emitted / (seconds - (WINDOW_MS + GRACE_MS) / 1000.0));
    say("live-bytes", load.liveBytes());
    say("hopping-bytes-a-second", load.hopping.sent() / seconds);
    load.live.clear();
    double heap = MeasuredHeap.bytes();
    say("sensors", load.state.windows().sensors());
    load.state = null;
    load.sink = null;
    say("heap-bytes", heap - MeasuredHeap.bytes());
  }

  private static void say(String figure, double value) {
    System.out.println(figure + " " + value);
  }

  private void run() {
    long offset = 0;
    for (long atMs = 0; atMs < LENGTH_MS; atMs += commitMs) {
      long nowMs = START_MS + atMs;
      for (long batchMs = 0; batchMs < commitMs; batchMs += Math.min(commitMs, periodMs)) {
        state.observe(nowMs + batchMs, offset++, Uuid.ZERO_UUID);
        ReadingColumns batch = batch(atMs + batchMs);
        state.statuses().beginBatch("gateway");
        state.windows().apply(batch, state.time().logMs(), sink);
        state.statuses().endRecord();
      }
      state.windows().upkeep(state.time(), 1_000_000, sink);
      emitted += emissions.take().size();
      state.flush(this::log);
      liveOfLast += atMs >= LENGTH_MS - WINDOW_MS ? liveNow : 0;
    }
  }

  /** Those sensors whose moment lies in the batch's share of the period. */
  private ReadingColumns batch(long atMs) {
    Columns columns = new Columns();
    long lengthMs = Math.min(commitMs, periodMs);
    for (int sensor = 0; sensor < sensors; sensor++) {
      long phaseMs = sensor * periodMs / sensors;
      if (Math.floorMod(phaseMs - atMs, periodMs) < lengthMs) {
        columns.row("sensor-" + sensor, START_MS + atMs, 20 + sensor % 500 / 100.0);
      }
    }
    return columns.build();
  }

  private void log(byte[] key, byte[] value) {
    entries += key[0] == 'S' ? 1 : key[0] == 'D' ? sensorsIn(value) : 0;
    if (key[0] == 'H') {
      hopping.add(key.clone(), value == null ? null : value.clone());
    }
    int bytes = value == null ? 0 : key.length + value.length;
    Integer old = live.put(ByteBuffer.wrap(key), bytes);
    liveNow += bytes - (old == null ? 0 : old);
  }

  /** How many sensors a record of changes speaks of; none of this load is deleted. */
  private static int sensorsIn(byte[] changes) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(changes);
      in.readUInt32(); // Format.
      in.readUInt32(); // Its number.
      in.readUInt32(); // Slots of the ring.
      in.readUInt64(); // Window size.
      in.readSInt64(); // Base time.
      in.readUInt32(); // Deletions.
      return in.readUInt32();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On the average over the last window: a sensor has one window for half of it, then two. */
  private double liveBytes() {
    return (double) liveOfLast * commitMs / WINDOW_MS;
  }

  /** Takes what is emitted, and drops it. */
  private static final class SilentSink implements StatusSink {
    @Override
    public void status(SensorWindows sensor, KeptStatus status) {}

    @Override
    public void transitioned(SensorWindows sensor, AlarmTransition transition) {}

    @Override
    public void gone(SensorWindows sensor) {}
  }
}
