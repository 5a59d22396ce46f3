package io.weir.cli.plan;

import io.weir.internal.group.GroupSpec;
import io.weir.internal.group.GroupTotal;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.group.SensorPart;
import io.weir.internal.store.GroupState;
import io.weir.reading.GatewayRules;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import javax.management.JMException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Windows of a hundred groups of sensors, of one partition, in a process of its own. */
final class PlannedGroups implements Groups.Sink {
  private static final long NOW_MS = 1_700_000_040_000L;
  private static final long SIZE_MS = 60_000;
  private static final int GROUPS = 100;
  private static final RecordHeader APPLICATION =
      new RecordHeader("weir.application", "weir-events".getBytes(StandardCharsets.UTF_8));

  private final MeasuredLog parts = new MeasuredLog();
  private final MeasuredLog summaries = new MeasuredLog();

  /**
   * Says a figure a line.
   *
   * @param args how many windows, sensors of each
   */
  public static void main(String[] args) throws JMException {
    GroupState state =
        new PlannedGroups().run(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    double heap = MeasuredHeap.bytes();
    say("windows", state.groups().size());
    state = null;
    say("heap-bytes", heap - MeasuredHeap.bytes());
  }

  /** Once with the windows dropped at the end, for the bytes of that; then with all of them. */
  private GroupState run(int windows, int sensors) {
    MeasuredLog log = new MeasuredLog();
    GroupState dropped = filled(windows, sensors);
    say("part-topic-bytes", parts.sent());
    dropped.groups().doDue(100_000, windows, this);
    say("group-topic-bytes", summaries.sent());
    dropped.flush(log::add);
    say("live-bytes", log.bytes());
    say("entry-bytes", log.sent());
    dropped.groups().doDue(100_000_000, windows, this);
    dropped.observe(NOW_MS, 2, Uuid.ZERO_UUID);
    dropped.flush(log::add);
    say("deletion-bytes", log.sent());
    GroupState filled = filled(windows, sensors);
    filled.flush((key, value) -> {});
    parts.sent();
    return filled;
  }

  private GroupState filled(int windows, int sensors) {
    GroupState state =
        new GroupState(
            new GroupSpec(5_000, 60_000, 3_600_000, 2_592_000_000L, 10_000, 1L << 40),
            GatewayRules.of(300_000));
    state.observe(NOW_MS, 1, Uuid.ZERO_UUID);
    for (int window = 0; window < windows; window++) {
      long startMs = NOW_MS + window / GROUPS * SIZE_MS;
      Name name = new Name("line-" + window % GROUPS, startMs, startMs + SIZE_MS);
      for (int sensor = 0; sensor < sensors; sensor++) {
        add(state, name, name.group() + "/sensor-" + sensor, Math.sin(window * 31.0 + sensor));
      }
    }
    return state;
  }

  private void add(GroupState state, Name window, String sensorId, double of) {
    double value = Math.round(1e4 * of) / 100.0;
    SensorPart part = new SensorPart(60, 0, 60.01 * value, new double[0], value - 1, value + 1);
    state.groups().put(window, sensorId, part, 1, this);
    parts.add(
        window.group().getBytes(StandardCharsets.UTF_8),
        WindowSummary.newBuilder()
            .setSensorId(sensorId)
            .setWindowStartMs(window.startMs())
            .setWindowEndMs(window.endMs())
            .setCount(60)
            .setSum(part.sum())
            .setMin(part.min())
            .setMax(part.max())
            .build()
            .toByteArray(),
        APPLICATION);
  }

  @Override
  public void emit(Name window, GroupTotal total, int revision) {
    summaries.add(
        window.group().getBytes(StandardCharsets.UTF_8),
        GroupSummary.newBuilder()
            .setGroup(window.group())
            .setWindowStartMs(window.startMs())
            .setWindowEndMs(window.endMs())
            .setSensors(total.sensors())
            .setCount(total.count())
            .setSum(total.sum())
            .setMin(total.min())
            .setMax(total.max())
            .setMinSensorId(total.minSensorId())
            .setMaxSensorId(total.maxSensorId())
            .setRevision(revision)
            .build()
            .toByteArray());
  }

  @Override
  public void dropped(Name window, boolean early) {}

  private static void say(String figure, double value) {
    System.out.println(figure + " " + value);
  }
}
