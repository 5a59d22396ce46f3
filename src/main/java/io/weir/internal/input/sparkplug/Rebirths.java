package io.weir.internal.input.sparkplug;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks edge nodes for their births, within limits. Not thread-safe. */
final class Rebirths {
  private static final Logger LOG = LoggerFactory.getLogger(Rebirths.class);

  /** Between two requests to any edge nodes. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final boolean asks;
  private final SparkplugMetrics metrics;
  private final Predicate<String> request;
  private final Map<String, Wanted> wanted = new LinkedHashMap<>();
  private boolean askedBefore;
  private long lastNanos;

  private record Wanted(EdgeNode node, Cause cause) {}

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
      wanted.putIfAbsent(node.key, new Wanted(node, cause));
    }
  }

  /** They came, or the edge node has gone. */
  void settled(EdgeNode node) {
    wanted.remove(node.key);
  }

  /** Asks one edge node, if it is time. */
  void tick(long nowNanos) {
    if (wanted.isEmpty() || askedBefore && nowNanos - lastNanos < PAUSE_NANOS) {
      return;
    }
    for (Iterator<Wanted> each = wanted.values().iterator(); each.hasNext(); ) {
      Wanted next = each.next();
      if (next.node.pace.isDue(nowNanos)) {
        if (request.test(next.node.key)) {
          each.remove();
          asked(next, nowNanos);
        }
        return;
      }
    }
  }

  private void asked(Wanted of, long nowNanos) {
    askedBefore = true;
    lastNanos = nowNanos;
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
