package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What a publisher works with that a test has its own of.
 *
 * @param senders opens the way to the brokers
 * @param journal keeps batches on disk
 * @param helper runs what may wait long: opening and closing the way to the brokers
 */
record PublisherSurroundings(
    MeterRegistry registry,
    Ticker ticker,
    BatchSender.Factory senders,
    Optional<FileJournal> journal,
    Executor helper) {}
