package io.weir.app;

import java.time.Duration;
import java.util.Optional;

/**
 * How a gateway publishes.
 *
 * @param gatewayId its name, which it shares with no other gateway
 * @param batchMaxReadings readings after which a batch is sent
 * @param flushInterval time after its first reading when a batch is sent, full or not
 * @param queueCapacity readings accepted and not yet acknowledged that fit into memory
 * @param suspendThresholdPercent how full the queue may be before readings are turned away, 1 to
 *     100
 * @param ordered whether sensors report in the order of time
 * @param spool how batches are kept on disk
 */
public record EdgeSettings(
    Optional<String> gatewayId,
    int batchMaxReadings,
    Duration flushInterval,
    int queueCapacity,
    int suspendThresholdPercent,
    boolean ordered,
    SpoolSettings spool) {}
