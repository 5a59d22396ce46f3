package io.weir.internal.topology;

import io.weir.internal.group.GroupTotal;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.GroupState;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.Topic;
import io.weir.v1.GroupSummary;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parts of groups through a task: into the windows of groups, which are emitted when due. */
final class GroupProcessor implements Processor<byte[], byte[], byte[], Outgoing>, Groups.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(GroupProcessor.class);

  private final EventSettings settings;
  private final EventServices services;
  private final GroupSettings groups;
  private ProcessorContext<byte[], Outgoing> context;
  private InputTask<GroupState> task;
  private GroupState state;
  private ValueFormat.Writer writer;
  private long outputMs;

  GroupProcessor(EventSettings settings, EventServices services) {
    this.settings = settings;
    this.services = services;
    this.groups = settings.groups().orElseThrow();
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    String topic = settings.topics().of(Topic.GROUP_PARTS);
    task = services.task(context, EventTopology.GROUPS_STORE, topic);
    state = task.state();
    writer =
        settings
            .values()
            .writer(settings.topics().of(Topic.GROUPS), GroupSummary.getDefaultInstance());
    task.start(
        nowMs ->
            services
                .measures()
                .grouping(task.partition(), state.groups().size(), state.groups().bytes()));
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (task.leavesOut()) {
      return;
    }
    long deletedUnread = task.deletedUnread();
    if (deletedUnread > 0) {
      services.measures().deletedUnread(deletedUnread);
    }
    boolean isOwn =
        record.value() != null && GroupPart.isOf(groups.applicationId(), record.headers());
    OptionalLong mark =
        isOwn ? GroupPart.deletedBeforeMs(record.value(), record.headers()) : OptionalLong.empty();
    OptionalLong begin =
        state.position().nextOffset() == 0
            ? sourceBeginsMs(record.timestamp())
            : OptionalLong.empty();
    long knownFromMs = state.groups().knownFromMs();
    task.begin(record);
    mark.ifPresent(state::deletedBefore);
    begin.ifPresent(state::deletedBefore);
    if (state.groups().knownFromMs() > knownFromMs) {
      leaveOut();
    }
    outputMs = task.outputMs(record);
    long logMs = state.position().time().logMs();
    if (isOwn && mark.isEmpty()) {
      take(record, logMs);
    }
    boolean workLeft = state.groups().doDue(logMs, InputTask.UPKEEP_SLICE, this);
    task.end(record, workLeft);
  }

  /**
   * Each partition of summaries may begin elsewhere, and the one that begins last may be read last:
   * a state that begins does not wait for its mark.
   */
  private OptionalLong sourceBeginsMs(long nowMs) {
    String source = settings.topics().of(groups.source());
    return services.of(source).input().deletedBeforeMs(nowMs);
  }

  private void leaveOut() {
    services.measures().groupsLeftOut(state.groups().takeLeftOut());
    LOG.warn(
        "{} partition {}: group windows that start before {} are left out: sensor "
            + "summaries may have been deleted unread, or were lost",
        settings.topics().of(Topic.GROUP_PARTS),
        task.partition(),
        Instant.ofEpochMilli(state.groups().knownFromMs()));
  }

  private void take(Record<byte[], byte[]> record, long logMs) {
    WindowSummary part;
    try {
      part = GroupPart.read(record.value(), settings.limits().maxIdBytes());
    } catch (UndecodableException e) {
      services.measures().undecodable(IntakeMeasures.Source.GROUPS, e.reason());
      return;
    }
    String group = groups.template().groupOf(part.getSensorId());
    Name window = new Name(group, part.getWindowStartMs(), part.getWindowEndMs());
    services
        .measures()
        .grouped(state.groups().put(window, part.getSensorId(), GroupPart.of(part), logMs, this));
  }

  @Override
  public void emit(Name window, GroupTotal total, int revision) {
    byte[] summary =
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
            .setBadCount(total.badCount())
            .build()
            .toByteArray();
    Headers headers = new RecordHeaders();
    Outgoing value = new Outgoing(task.partition(), writer.write(summary, headers));
    byte[] key = window.group().getBytes(StandardCharsets.UTF_8);
    context.forward(new Record<>(key, value, outputMs, headers), EventTopology.GROUPS_SINK);
    task.emitted();
    services.measures().groupEmitted(revision > 0);
  }

  @Override
  public void dropped(Name window, boolean early) {
    services.measures().groupDropped(early);
  }

  @Override
  public void close() {
    task.close();
    services.measures().gone(IntakeMeasures.Source.GROUPS, task.partition());
  }
}
