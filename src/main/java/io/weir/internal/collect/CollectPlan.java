package io.weir.internal.collect;

import io.weir.internal.app.CollectSettings;
import io.weir.reading.Limits;
import java.time.Duration;

/**
 * The settings of a collector's loop.
 *
 * @param gatewayId gateway id of the sent batches
 * @param limits limits of batches
 * @param events whether events are enabled
 * @param lease time without a renewal after which others take over
 */
record CollectPlan(
    String gatewayId, CollectSettings settings, Limits limits, boolean events, Duration lease) {
  static final Duration LEASE = Duration.ofSeconds(15);
}
