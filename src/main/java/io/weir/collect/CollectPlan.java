package io.weir.collect;

import io.weir.app.CollectSettings;
import io.weir.reading.Limits;
import java.time.Duration;

/**
 * How a collector collects.
 *
 * @param gatewayId as whom it sends
 * @param limits of batches
 * @param events whether events are switched on
 * @param lease after which others take over from one that says nothing
 */
record CollectPlan(
    String gatewayId, CollectSettings settings, Limits limits, boolean events, Duration lease) {
  static final Duration LEASE = Duration.ofSeconds(15);
}
