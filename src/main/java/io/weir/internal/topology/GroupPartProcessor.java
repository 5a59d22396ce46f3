package io.weir.internal.topology;

import io.weir.internal.fetch.OversizedBatch;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.GroupPartState;
import io.weir.internal.wire.UndecodableException;
import io.weir.topic.SensorPartition;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Summaries of sensors through a task: each goes on to the partition of its sensor's group, in the
 * order of the log. So the last part of a sensor there is its newest, whatever its revision says.
 * Nothing waits here, and no tick is asked for.
 */
final class GroupPartProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
  private final EventSettings settings;
  private final EventServices services;
  private final GroupSettings groups;
  private ProcessorContext<byte[], Outgoing> context;
  private InputTask<GroupPartState> task;
  private GroupPartState state;
  private ValueFormat.Reader reader;
  private EventDeadLetters deadLetters;

  GroupPartProcessor(EventSettings settings, EventServices services) {
    this.settings = settings;
    this.services = services;
    this.groups = settings.groups().orElseThrow();
  }

  @Override
  public void init(ProcessorContext<byte[], Outgoing> processorContext) {
    context = processorContext;
    String topic = settings.topics().of(groups.source());
    task = services.task(context, EventTopology.GROUP_PARTS_STORE, topic);
    state = task.state();
    reader =
        settings
            .values()
            .reader(topic, WindowSummary.getDefaultInstance(), settings.registryWait());
    deadLetters =
        new EventDeadLetters(context, EventTopology.GROUP_PARTS_DEAD_LETTERS_SINK, settings);
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
    WindowSummary summary = null;
    UndecodableException why = null;
    try {
      summary = read(record);
    } catch (UndecodableException e) {
      why = e;
    }
    task.begin(record);
    if (deletedUnread > 0) {
      tellAllGroups(state.position().time().latestMs(), task.outputMs(record));
    }
    if (why != null) {
      deadLetters.undecodable(record, task.origin(), why, Optional.empty(), task.outputMs(record));
      services.measures().undecodable(IntakeMeasures.Source.GROUP_PARTS, why.reason());
    } else if (summary != null
        && summary.getWindowEndMs() - summary.getWindowStartMs() == groups.sizeMs()) {
      forward(summary, task.outputMs(record));
    }
    task.end(record, false);
  }

  /** Null where a record has nothing to say. */
  private WindowSummary read(Record<byte[], byte[]> record) throws UndecodableException {
    if (record.value() == null || InputTask.isTick(record)) {
      return null;
    }
    Optional<OversizedBatch> oversized = OversizedBatch.of(record.value(), record.headers());
    if (oversized.isPresent()) {
      throw UndecodableException.malformed(oversized.get().describe());
    }
    return GroupPart.read(
        reader.admit(record.value(), record.headers()), settings.limits().maxIdBytes());
  }

  private void forward(WindowSummary summary, long atMs) {
    String group = groups.template().groupOf(summary.getSensorId());
    Headers headers = new RecordHeaders();
    GroupPart.mark(headers, groups.applicationId());
    Outgoing value = new Outgoing(SensorPartition.of(group), GroupPart.write(summary));
    context.forward(
        new Record<>(group.getBytes(StandardCharsets.UTF_8), value, atMs, headers),
        EventTopology.GROUP_PARTS_SINK);
    task.emitted();
  }

  /** The sensors whose summaries were deleted may be of any group. */
  private void tellAllGroups(long deletedBeforeMs, long atMs) {
    for (int partition = 0; partition < settings.partitions(); partition++) {
      Headers headers = new RecordHeaders();
      GroupPart.mark(headers, groups.applicationId());
      GroupPart.markDeletedBefore(headers, deletedBeforeMs);
      context.forward(
          new Record<>(null, new Outgoing(partition, GroupPart.EMPTY), atMs, headers),
          EventTopology.GROUP_PARTS_SINK);
    }
    task.emitted();
  }

  @Override
  public void close() {
    task.close();
  }
}
