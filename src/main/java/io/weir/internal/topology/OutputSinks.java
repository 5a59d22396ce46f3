package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.deadletter.SizeGuard;
import io.weir.internal.json.SummaryJson;
import io.weir.internal.registry.ValueFormat;
import io.weir.internal.store.PartitionState;
import io.weir.internal.window.CloseReason;
import io.weir.internal.window.Hop;
import io.weir.internal.window.Omission;
import io.weir.internal.window.Rollup;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.WideSpan;
import io.weir.internal.window.Window;
import io.weir.internal.window.WindowSink;
import io.weir.internal.window.aggregate.Aggregate;
import io.weir.internal.wire.BatchExcerpt;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.reading.Verdict;
import io.weir.summary.WindowKeyEncoder;
import io.weir.summary.WindowSummaryEncoder;
import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The outputs of a task, all in its transaction: windows, rollups, hopping windows, late readings,
 * dead letters.
 */
final class OutputSinks implements WindowSink {
  /**
   * Headers as received go on with a dead letter, but for those in Weir's names, and unless they
   * take more than this together.
   */
  private static final int MAX_RECEIVED_HEADERS = 8192;

  private final ProcessorContext<byte[], Outgoing> context;
  private final int partition;
  private final long windowSizeMs;
  private final PartitionState state;
  private final SizeGuard lateGuard;
  private final SizeGuard deadLetterGuard;
  private final Map<Topic, SummaryOutput> summaries = new EnumMap<>(Topic.class);
  private final ValueFormat.Writer lateWriter;
  private final ValueFormat.Writer deadLetterWriter;
  private final Measures measures;
  private final Runnable emitted;
  private long timestampMs;
  private Life life;
  private Header lifeHeader;

  /**
   * @param state of the partition
   * @param emitted is run for each record that goes out
   */
  OutputSinks(
      ProcessorContext<byte[], Outgoing> context,
      TopologySettings settings,
      PartitionState state,
      Measures measures,
      Runnable emitted) {
    this.state = state;
    this.life = new Life(state.life());
    this.lifeHeader = life.header();
    this.context = context;
    this.emitted = emitted;
    this.partition = context.taskId().partition();
    this.windowSizeMs = settings.window().sizeMs();
    this.lateGuard = new SizeGuard(settings.maxLateBytes());
    this.deadLetterGuard = new SizeGuard(settings.maxDeadLetterBytes());
    settings
        .summaries()
        .forEach(topic -> summaries.put(topic, new SummaryOutput(context, settings, topic)));
    this.lateWriter =
        settings.values().writer(settings.topics().late(), ReadingBatch.getDefaultInstance());
    this.deadLetterWriter =
        settings
            .values()
            .writer(settings.topics().deadLetters(), ReadingBatch.getDefaultInstance());
    this.measures = measures;
  }

  /** Sets the timestamp that records carry from now on; LogAppendTime replaces it. */
  void at(long recordTimestampMs) {
    timestampMs = recordTimestampMs;
  }

  @Override
  public void emit(SensorWindows sensor, Window window, CloseReason reason) {
    long endMs = window.startMs() + windowSizeMs;
    byte[] summary = WindowSummaryEncoder.encode(sensor.id(), window, endMs, reason);
    send(Topic.WINDOWS, sensor, window.startMs(), endMs, summary);
    measures.window(reason);
    countOverflow(window);
  }

  private void countOverflow(Aggregate values) {
    if (values.statistics() != null && values.statistics().samplesOverflowed()) {
      measures.samplesOverflowed();
    }
  }

  @Override
  public void emit(SensorWindows sensor, Rollup rollup, Aggregate values, CloseReason reason) {
    send(Topic.ROLLUPS, sensor, rollup, values, reason);
    measures.rollup(reason);
    countOverflow(values);
  }

  @Override
  public void emit(SensorWindows sensor, Hop hop, Aggregate values, CloseReason reason) {
    send(Topic.HOPPING, sensor, hop, values, reason);
    measures.hop(reason);
    countOverflow(values);
  }

  private void send(
      Topic topic, SensorWindows sensor, WideSpan span, Aggregate values, CloseReason reason) {
    byte[] summary =
        WindowSummaryEncoder.encode(
            sensor.id(), span.startMs(), span.endMs(), span.revision(), values, reason);
    send(topic, sensor, span.startMs(), span.endMs(), summary);
  }

  @Override
  public void leftOut(Omission what) {
    measures.leftOut(what);
  }

  private void send(Topic topic, SensorWindows sensor, long startMs, long endMs, byte[] summary) {
    Headers headers = new RecordHeaders();
    headers.add(life());
    summaries.get(topic).send(sensor.id(), startMs, endMs, summary, timestampMs, headers);
    emitted.run();
  }

  /** Which state wrote it, and of which topic. */
  private void addState(Headers headers) {
    headers.add(life());
    DeadLetterHeaders.add(
        headers, DeadLetterHeaders.TOPIC_ID, state.position().topicId().toString());
  }

  /** Of all that goes out until a state is lost. */
  private Header life() {
    if (life.id() != state.life()) {
      life = new Life(state.life());
      lifeHeader = life.header();
    }
    return lifeHeader;
  }

  /**
   * Sends on what is no batch at all, as it was received.
   *
   * @param claimed the gateway that it names, where it was understood so far
   */
  void undecodable(
      Record<byte[], byte[]> record,
      Origin origin,
      UndecodableException why,
      Optional<String> claimed) {
    Headers headers = received(record.headers(), origin);
    describe(headers, why.reason(), UndecodableException.class.getName(), why.getMessage());
    claimed.ifPresent(
        gateway -> DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, gateway));
    letterAsReceived(record, headers);
  }

  /** Sends on a batch that is refused as a whole, as it was received. */
  void refused(
      Record<byte[], byte[]> record, Origin origin, ReadingColumns batch, RejectReason reason) {
    Headers headers = received(record.headers(), origin);
    describe(headers, reason, RejectReason.class.getName(), reason.meaning());
    addBatch(headers, batch);
    letterAsReceived(record, headers);
  }

  private void letterAsReceived(Record<byte[], byte[]> record, Headers headers) {
    addState(headers);
    SizeGuard.Fitting fitting = deadLetterGuard.fit(record.key(), record.value(), headers);
    send(WeirTopology.DEAD_LETTERS_SINK, fitting, headers);
  }

  /** Sends on the readings of a batch that are refused for one reason. */
  void rejected(
      Record<byte[], byte[]> record, Origin origin, ReadingColumns batch, RejectReason reason) {
    byte[] key = record.key();
    Headers headers = DeadLetterHeaders.of(origin);
    DeadLetterHeaders.addRedrive(headers, record.headers());
    describe(headers, reason, RejectReason.class.getName(), reason.meaning());
    addBatch(headers, batch);
    addState(headers);
    int room = deadLetterGuard.roomForValue(key, headers) - deadLetterWriter.mostAddedBytes();
    for (byte[] payload : BatchExcerpt.of(batch, Verdict.rejected(reason), room)) {
      Headers own = new RecordHeaders(headers);
      byte[] value = deadLetterWriter.write(payload, own);
      send(WeirTopology.DEAD_LETTERS_SINK, deadLetterGuard.fit(key, value, own), own);
    }
  }

  /** Sends on the readings of a batch that are late. */
  void late(Record<byte[], byte[]> record, Origin origin, ReadingColumns batch) {
    late(record, origin, batch, Verdict.LATE);
  }

  /** Sends on the readings of a batch that are withheld. */
  void withheld(Record<byte[], byte[]> record, Origin origin, ReadingColumns batch) {
    late(record, origin, batch, Verdict.WITHHELD);
  }

  private void late(
      Record<byte[], byte[]> record, Origin origin, ReadingColumns batch, byte verdict) {
    byte[] key = batch.gatewayId().getBytes(StandardCharsets.UTF_8);
    Headers headers = DeadLetterHeaders.of(origin);
    DeadLetterHeaders.addRedrive(headers, record.headers());
    if (verdict == Verdict.WITHHELD) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, RejectReason.WITHHELD.name());
      DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, RejectReason.WITHHELD.meaning());
      state
          .gaps()
          .newest()
          .ifPresent(gap -> DeadLetterHeaders.add(headers, DeadLetterHeaders.GAP, gap.toString()));
    }
    addBatch(headers, batch);
    addState(headers);
    int room = lateGuard.roomForValue(key, headers) - lateWriter.mostAddedBytes();
    for (byte[] payload : BatchExcerpt.of(batch, verdict, room)) {
      Headers own = new RecordHeaders(headers);
      byte[] value = lateWriter.write(payload, own);
      send(WeirTopology.LATE_SINK, lateGuard.fit(key, value, own), own);
    }
  }

  private void send(String sink, SizeGuard.Fitting fitting, Headers headers) {
    Outgoing value = new Outgoing(partition, fitting.value());
    context.forward(new Record<>(fitting.key(), value, timestampMs, headers), sink);
    emitted.run();
  }

  /** What a record came with, and where from. */
  static Headers received(Headers received, Origin origin) {
    Headers headers = DeadLetterHeaders.of(origin);
    if (SizeGuard.lengthOf(received) > MAX_RECEIVED_HEADERS) {
      return headers;
    }
    Headers both = new RecordHeaders();
    for (Header header : received) {
      if (!DeadLetterHeaders.isOurs(header.key())) {
        both.add(header);
      }
    }
    headers.forEach(both::add);
    DeadLetterHeaders.addRedrive(both, received);
    return both;
  }

  private static void describe(
      Headers headers, RejectReason reason, String exception, String message) {
    DeadLetterHeaders.add(headers, DeadLetterHeaders.EXCEPTION, exception);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.MESSAGE, message);
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason.name());
  }

  private static void addBatch(Headers headers, ReadingColumns batch) {
    DeadLetterHeaders.addBatch(headers, batch.gatewayId(), batch.bootId(), batch.sequence());
  }

  /**
   * A topic of summaries, keyed by sensor, and where it is on the topic with the same summaries
   * keyed by window. One task's.
   */
  static final class SummaryOutput {
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
}
