package io.weir.internal.topology;

import io.weir.internal.json.SummaryJson;
import io.weir.internal.registry.ValueFormat;
import io.weir.summary.WindowKeyEncoder;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.v1.WindowSummary;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A topic of summaries, keyed by sensor, and where it is on the topic with the same summaries keyed
 * by window. One task's.
 */
final class SummaryOutput {
  private final ProcessorContext<byte[], Outgoing> context;
  private final int partition;
  private final Topic topic;
  private final ValueFormat.Writer writer;

  /** Null where it is off. */
  private final Topic latest;

  private final ValueFormat.Writer latestWriter;
  private final boolean latestInJson;

  SummaryOutput(
      ProcessorContext<byte[], Outgoing> context, TopologySettings settings, Topic topic) {
    this.context = context;
    this.partition = context.taskId().partition();
    this.topic = topic;
    this.writer = writer(settings, topic);
    this.latest = settings.latestOf(topic).orElse(null);
    this.latestInJson = settings.latest() == LatestForm.JSON;
    this.latestWriter = latest == null || latestInJson ? null : writer(settings, latest);
  }

  private static ValueFormat.Writer writer(TopologySettings settings, Topic topic) {
    return settings
        .values()
        .writer(settings.topics().of(topic), WindowSummary.getDefaultInstance());
  }

  /**
   * Sends a summary.
   *
   * @param sensorId UTF-8
   * @param headers of the record that is keyed by sensor
   */
  void send(
      byte[] sensorId,
      long startMs,
      long endMs,
      byte[] summary,
      long timestampMs,
      Headers headers) {
    forward(topic, sensorId, writer.write(summary, headers), timestampMs, headers);
    if (latest == null) {
      return;
    }
    Headers latestHeaders = new RecordHeaders();
    if (latestInJson) {
      byte[] key = SummaryJson.key(sensorId, startMs, endMs);
      forward(latest, key, SummaryJson.value(summary), timestampMs, latestHeaders);
    } else {
      byte[] key = WindowKeyEncoder.encode(sensorId, startMs, endMs);
      byte[] value = latestWriter.write(summary, latestHeaders);
      forward(latest, key, value, timestampMs, latestHeaders);
    }
  }

  private void forward(Topic to, byte[] key, byte[] value, long timestampMs, Headers headers) {
    Outgoing outgoing = new Outgoing(partition, value);
    context.forward(new Record<>(key, outgoing, timestampMs, headers), to.text());
  }
}
