package io.weir.internal.sink;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a sink's loop.
 *
 * @param batchRecords records after which a transaction is written
 * @param flushInterval time after its first record when a transaction is written, full or not
 * @param retention how long rows stay in partitioned tables; empty for ever
 * @param rejectsRetention how long rejected records stay
 * @param skipLost whether it goes on where records were deleted before they were written
 */
record SinkPlan(
    int batchRecords,
    Duration flushInterval,
    Optional<Duration> retention,
    Duration rejectsRetention,
    boolean skipLost) {}
