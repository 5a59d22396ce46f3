package io.weir.internal.app;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of health checks and metrics.
 *
 * @param host the address to listen on
 * @param port port of {@code run}; 0 for a free one
 * @param probePort port of every service for probes only; empty for none
 * @param edgePort port of {@code edge}; empty for none
 * @param rebalanceTolerance how long a rebalance may last before the application is no longer ready
 * @param commitTolerance how long a partition may go without a commit before it is no longer ready
 * @param startTimeout how long a start waits for Kafka
 */
public record HttpSettings(
    String host,
    int port,
    Optional<Integer> probePort,
    Optional<Integer> edgePort,
    Duration rebalanceTolerance,
    Duration commitTolerance,
    Duration startTimeout) {}
