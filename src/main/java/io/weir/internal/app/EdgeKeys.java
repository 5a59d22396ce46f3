package io.weir.internal.app;

import static io.weir.internal.app.ValueType.directory;
import static io.weir.internal.app.ValueType.duration;
import static io.weir.internal.app.ValueType.flag;
import static io.weir.internal.app.ValueType.integer;
import static io.weir.internal.app.ValueType.oneOf;
import static io.weir.internal.app.ValueType.text;
import static io.weir.internal.app.ValueType.wholeNumber;

import io.weir.edge.Overflow;
import io.weir.edge.PublisherBounds;
import io.weir.internal.time.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The settings of a gateway: a part of the catalogue {@link Keys}. */
public final class EdgeKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<String> GATEWAY_ID =
      KEYS.unset(
          "gateway.id",
          text(PublisherBounds.MAX_GATEWAY_ID_BYTES),
          "id of this gateway, unique among all gateways");
  public static final Key<Integer> BATCH_MAX_READINGS =
      KEYS.of(
          "batch.max.readings",
          integer(PublisherBounds.MIN_BATCH_MAX_READINGS, 1_000_000),
          Integer.toString(PublisherBounds.DEFAULT_BATCH_MAX_READINGS),
          "number of readings after which a batch is sent");
  public static final Key<Duration> FLUSH_INTERVAL =
      KEYS.of(
          "flush.interval",
          duration(
              DurationText.format(PublisherBounds.MIN_FLUSH_INTERVAL),
              DurationText.format(PublisherBounds.MAX_FLUSH_INTERVAL)),
          DurationText.format(PublisherBounds.DEFAULT_FLUSH_INTERVAL),
          "time after its first reading after which a batch is sent even if it is not full");
  public static final Key<Integer> QUEUE_CAPACITY =
      KEYS.of(
          "queue.capacity",
          integer(PublisherBounds.MIN_QUEUE_CAPACITY, PublisherBounds.MAX_QUEUE_CAPACITY),
          Integer.toString(PublisherBounds.DEFAULT_QUEUE_CAPACITY),
          "maximum number of accepted readings without acknowledgement");
  public static final Key<Integer> SUSPEND_THRESHOLD_PERCENT =
      KEYS.of(
          "suspend.threshold.percent",
          integer(
              PublisherBounds.MIN_SUSPEND_THRESHOLD_PERCENT,
              PublisherBounds.MAX_SUSPEND_THRESHOLD_PERCENT),
          Integer.toString(PublisherBounds.DEFAULT_SUSPEND_THRESHOLD_PERCENT),
          "fill level of the queue, in percent, above which readings are not accepted");
  public static final Key<Path> SPOOL_DIR =
      KEYS.unset(
          "spool.dir",
          directory(),
          "directory where batches are stored until they are acknowledged; no other"
              + " gateway may use it");
  public static final Key<Long> SPOOL_MAX_BYTES =
      KEYS.of(
          "spool.max.bytes",
          wholeNumber("BYTES", PublisherBounds.MIN_KEEP_MAX_BYTES, 1L << 50),
          Long.toString(PublisherBounds.DEFAULT_KEEP_MAX_BYTES),
          "maximum size of weir.spool.dir in bytes");
  public static final Key<Overflow> SPOOL_FULL =
      KEYS.of(
          "spool.full",
          oneOf(Overflow.class),
          ValueType.wordOf(PublisherBounds.DEFAULT_OVERFLOW),
          "behaviour when weir.spool.dir (without it, the queue) is full: suspend stops"
              + " reading input, drop-oldest drops the oldest batches and counts them");
  public static final Key<Long> SPOOL_REPLAY_RATE =
      KEYS.unset(
          "spool.replay.rate",
          wholeNumber("READINGS", PublisherBounds.MIN_KEEP_REPLAY_RATE, 1_000_000_000),
          "maximum number of readings a second sent from weir.spool.dir after an outage;"
              + " new readings of the same partition wait; default: no limit");
  public static final Key<Boolean> ORDERED =
      KEYS.of(
          "ordered",
          flag(),
          "false",
          "promises that each sensor reports in time order and that no other gateway"
              + " publishes it; each batch then attests completeness up to its newest reading, so"
              + " that windows are final without grace");
  public static final Key<Integer> EDGE_HTTP_PORT =
      KEYS.unset(
          "edge.http.port",
          integer(0, 65_535),
          "port of health checks and metrics; default: none; 0 chooses a free port");

  static final List<Key<?>> ALL = KEYS.all();

  private EdgeKeys() {}
}
