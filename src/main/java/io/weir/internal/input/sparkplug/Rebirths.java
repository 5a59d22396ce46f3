package io.weir.internal.input.sparkplug;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks edge nodes for their births, within limits: first those whose birth was known before. Not
 * thread-safe.
 */
final class Rebirths {
  private static final Logger LOG = LoggerFactory.getLogger(Rebirths.class);

  /** Between two requests to any edge nodes. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Edge nodes to look at for one that is due. */
  private static final int MOST_LOOKS = 1_000;

  private final boolean asks;
  private final SparkplugMetrics metrics;
  private final Predicate<String> request;
  private final Turns known = new Turns();
  private final Turns unknown = new Turns();
  private boolean lookedBefore;

  /** The one that sent last: names are invented for nothing, but messages are not. */
  private Wanted latest;

  private boolean isTurnOfLatest;
  private long lastNanos;

  private record Wanted(EdgeNode node, Cause cause) {}

  /** Those that are to be asked. */
  private static final class Turns {
    private final Map<String, Wanted> all = new LinkedHashMap<>();

    /** Null if none is due. */
    Wanted next(long nowNanos) {
      for (int look = 0; look < Math.min(MOST_LOOKS, all.size()); look++) {
        Wanted next = all.values().iterator().next();
        // The next turn is of another edge node.
        all.remove(next.node.key);
        all.put(next.node.key, next);
        if (next.node.pace.isDue(nowNanos)) {
          return next;
        }
      }
      return null;
    }
  }

  /** Why an edge node is asked. */
  enum Cause {
    UNKNOWN_NODE,
    RECONNECT,
    GAP,
    UNKNOWN_METRIC
  }

  /**
   * @param request asks the edge node of a key; false if it cannot now
   */
  Rebirths(boolean asks, SparkplugMetrics metrics, Predicate<String> request) {
    this.asks = asks;
    this.metrics = metrics;
    this.request = request;
  }

  /** The births of an edge node are wanted; the first cause counts. */
  void want(EdgeNode node, Cause cause) {
    if (asks) {
      Map<String, Wanted> all = node.born ? known.all : unknown.all;
      all.putIfAbsent(node.key, new Wanted(node, cause));
      latest = node.born ? latest : all.get(node.key);
    }
  }

  /** They came, or the edge node has gone. */
  void settled(EdgeNode node) {
    known.all.remove(node.key);
    unknown.all.remove(node.key);
    latest = latest != null && latest.node == node ? null : latest;
  }

  /** Asks one edge node, if it is time. */
  void tick(long nowNanos) {
    if (lookedBefore && nowNanos - lastNanos < PAUSE_NANOS) {
      return;
    }
    Wanted next = known.next(nowNanos);
    next = next == null ? ofUnknown(nowNanos) : next;
    if (next == null && known.all.isEmpty() && unknown.all.isEmpty()) {
      return;
    }
    lookedBefore = true;
    lastNanos = nowNanos;
    if (next != null && request.test(next.node.key)) {
      settled(next.node);
      asked(next, nowNanos);
    }
  }

  /** By turns the one that sent last, and the one that waits for longest. */
  private Wanted ofUnknown(long nowNanos) {
    isTurnOfLatest = !isTurnOfLatest;
    return isTurnOfLatest && latest != null && latest.node.pace.isDue(nowNanos)
        ? latest
        : unknown.next(nowNanos);
  }

  private void asked(Wanted of, long nowNanos) {
    of.node.pace.asked(nowNanos);
    metrics.rebirth(of.cause);
    if (of.node.pace.isSuspicious()) {
      LOG.warn(
          "{} was asked for its birth {} times in a row, and its messages are still out of order:"
              + " two edge nodes may share group and id",
          of.node.key,
          RebirthPace.SUSPICIOUS);
    }
  }
}
