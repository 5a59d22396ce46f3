package io.weir.app;

import java.time.Duration;
import java.util.Optional;

/**
 * Where health and metrics are shown.
 *
 * @param host the address to listen on
 * @param port of {@code run}; 0 for any that is free
 * @param probePort of {@code run}, for probes alone; empty for none beside {@code port}
 * @param edgePort of {@code edge}; empty for none
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
