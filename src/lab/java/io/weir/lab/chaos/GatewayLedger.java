package io.weir.lab.chaos;

import io.weir.edge.BatchJournal;
import io.weir.edge.SequencedBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A gateway's ledger as its publisher's journal: every batch is on disk before it is sent. Safe for
 * many threads.
 */
final class GatewayLedger implements BatchJournal {
  private final LedgerFile file;
  private final AtomicLong acknowledgedReadings = new AtomicLong();
  private final AckLatencies latencies = new AckLatencies();

  private volatile boolean standsStill;

  GatewayLedger(LedgerFile file) {
    this.file = file;
  }

  void began(long bootId, boolean emptyHanded) throws IOException {
    file.force(List.of(new LedgerEntry.Began(bootId, emptyHanded)));
  }

  /** The planted bug of a publisher that never sends again. */
  void standStill() {
    standsStill = true;
  }

  @Override
  public void beforeFirstSend(List<SequencedBatch> batches) throws IOException {
    while (standsStill && !Thread.currentThread().isInterrupted()) {
      LockSupport.park(this);
    }
    file.force(batches.stream().map(LedgerEntry.Batch::new).toList());
    batches.forEach(batch -> latencies.sent(batch, System.nanoTime()));
  }

  @Override
  public void acknowledged(SequencedBatch batch) {
    write(new LedgerEntry.Acknowledged(batch.bootId(), batch.partition(), batch.sequence()));
    acknowledgedReadings.addAndGet(batch.readings());
    latencies.acknowledged(batch, System.nanoTime());
  }

  /** How long the publisher's batches wait. */
  AckLatencies latencies() {
    return latencies;
  }

  void beforeRaw(LedgerEntry.Raw raw) throws IOException {
    file.force(List.of(raw));
  }

  void rawAcknowledged(LedgerEntry.Raw raw) {
    write(new LedgerEntry.RawAcknowledged(raw.number()));
    acknowledgedReadings.addAndGet(raw.readings());
  }

  private void write(LedgerEntry entry) {
    try {
      file.write(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Readings that the brokers acknowledged in this life. */
  long acknowledgedReadings() {
    return acknowledgedReadings.get();
  }
}
