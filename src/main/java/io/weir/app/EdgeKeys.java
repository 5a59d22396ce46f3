package io.weir.app;

import static io.weir.app.ValueType.directory;
import static io.weir.app.ValueType.duration;
import static io.weir.app.ValueType.flag;
import static io.weir.app.ValueType.integer;
import static io.weir.app.ValueType.oneOf;
import static io.weir.app.ValueType.text;
import static io.weir.app.ValueType.wholeNumber;

import io.weir.edge.Overflow;
import io.weir.edge.PublisherBounds;
import io.weir.time.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The settings of a gateway: a part of the catalogue {@link Keys}. */
public final class EdgeKeys {
  public static final Key<String> GATEWAY_ID =
      Key.unset(
          "gateway.id",
          text(PublisherBounds.MAX_GATEWAY_ID_BYTES),
          "edge: this gateway's name, its own among all gateways");
  public static final Key<Integer> BATCH_MAX_READINGS =
      Key.of(
          "batch.max.readings",
          integer(PublisherBounds.MIN_BATCH_MAX_READINGS, 1_000_000),
          Integer.toString(PublisherBounds.DEFAULT_BATCH_MAX_READINGS),
          "edge: readings after which a batch is sent");
  public static final Key<Duration> FLUSH_INTERVAL =
      Key.of(
          "flush.interval",
          duration(
              DurationText.format(PublisherBounds.MIN_FLUSH_INTERVAL),
              DurationText.format(PublisherBounds.MAX_FLUSH_INTERVAL)),
          DurationText.format(PublisherBounds.DEFAULT_FLUSH_INTERVAL),
          "edge: time after its first reading when a batch is sent, full or not");
  public static final Key<Integer> QUEUE_CAPACITY =
      Key.of(
          "queue.capacity",
          integer(PublisherBounds.MIN_QUEUE_CAPACITY, PublisherBounds.MAX_QUEUE_CAPACITY),
          Integer.toString(PublisherBounds.DEFAULT_QUEUE_CAPACITY),
          "edge: readings accepted and not yet acknowledged that fit into memory");
  public static final Key<Integer> SUSPEND_THRESHOLD_PERCENT =
      Key.of(
          "suspend.threshold.percent",
          integer(
              PublisherBounds.MIN_SUSPEND_THRESHOLD_PERCENT,
              PublisherBounds.MAX_SUSPEND_THRESHOLD_PERCENT),
          Integer.toString(PublisherBounds.DEFAULT_SUSPEND_THRESHOLD_PERCENT),
          "edge: how full the queue may be before readings are turned away");
  public static final Key<Path> SPOOL_DIR =
      Key.unset(
          "spool.dir",
          directory(),
          "edge: where batches are kept until they are acknowledged, this gateway's alone");
  public static final Key<Long> SPOOL_MAX_BYTES =
      Key.of(
          "spool.max.bytes",
          wholeNumber("BYTES", PublisherBounds.MIN_KEEP_MAX_BYTES, 1L << 50),
          Long.toString(PublisherBounds.DEFAULT_KEEP_MAX_BYTES),
          "edge: most bytes that are kept in weir.spool.dir");
  public static final Key<Overflow> SPOOL_FULL =
      Key.of(
          "spool.full",
          oneOf(Overflow.class),
          ValueType.wordOf(PublisherBounds.DEFAULT_OVERFLOW),
          "edge: what happens when weir.spool.dir, or without one the queue, is full: suspend reads"
              + " no more input, drop-oldest drops the oldest batches and counts them");
  public static final Key<Long> SPOOL_REPLAY_RATE =
      Key.unset(
          "spool.replay.rate",
          wholeNumber("READINGS", PublisherBounds.MIN_KEEP_REPLAY_RATE, 1_000_000_000),
          "edge: most readings a second that are sent from weir.spool.dir after an outage; new"
              + " readings of a partition wait behind them; unset for no bound");
  public static final Key<Boolean> ORDERED =
      Key.of(
          "ordered",
          flag(),
          "false",
          "edge: sensors report in the order of time, and no other gateway publishes them; each"
              + " batch says that its sensors are complete through their newest reading, so that"
              + " windows are final without waiting for grace");
  public static final Key<Integer> EDGE_HTTP_PORT =
      Key.unset(
          "edge.http.port",
          integer(0, 65_535),
          "edge: port of health and metrics; unset for none, 0 for any free");

  static final List<Key<?>> ALL =
      List.of(
          GATEWAY_ID,
          BATCH_MAX_READINGS,
          FLUSH_INTERVAL,
          QUEUE_CAPACITY,
          SUSPEND_THRESHOLD_PERCENT,
          SPOOL_DIR,
          SPOOL_MAX_BYTES,
          SPOOL_FULL,
          SPOOL_REPLAY_RATE,
          ORDERED,
          EDGE_HTTP_PORT);

  private EdgeKeys() {}
}
