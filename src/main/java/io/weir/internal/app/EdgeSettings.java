package io.weir.internal.app;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a gateway.
 *
 * @param gatewayId its id, unique among all gateways
 * @param batchMaxReadings readings after which a batch is sent
 * @param flushInterval time after its first reading after which a batch is sent
 * @param queueCapacity maximum number of accepted readings without acknowledgement
 * @param suspendThresholdPercent fill level of the queue above which readings are not accepted, 1
 *     to 100
 * @param ordered whether each sensor reports in time order
 * @param spool settings of the spool directory
 */
public record EdgeSettings(
    Optional<String> gatewayId,
    int batchMaxReadings,
    Duration flushInterval,
    int queueCapacity,
    int suspendThresholdPercent,
    boolean ordered,
    SpoolSettings spool) {}
