package io.weir.edge;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The dependencies of one start of a publisher besides its settings; tests replace them.
 *
 * @param bootId from the journal, if batches are kept on disk
 * @param senders opens senders
 * @param journal keeps batches on disk
 * @param helper runs blocking work: opening and closing senders
 */
record PublisherDependencies(
    long bootId,
    MeterRegistry registry,
    Ticker ticker,
    BatchSender.Factory senders,
    Optional<FileJournal> journal,
    Executor helper) {}
