package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * What one start of a publisher works with, beside its settings: a test has its own.
 *
 * @param bootId of the journal, where batches are kept on disk
 * @param senders opens the way to the brokers
 * @param journal keeps batches on disk
 * @param helper runs what may wait long: opening and closing the way to the brokers
 */
record PublisherDependencies(
    long bootId,
    MeterRegistry registry,
    Ticker ticker,
    BatchSender.Factory senders,
    Optional<FileJournal> journal,
    Executor helper) {}
