package io.weir.lab.bench;

import io.weir.v1.WindowSummary;
import java.util.function.Consumer;

/** Hands on each committed summary as soon as it can be read, on a thread of its own. */
final class CommittedWindows implements AutoCloseable {
  private final CommittedRecords records;

  CommittedWindows(String bootstrapServers, String topic, Consumer<WindowSummary> taker) {
    this.records =
        new CommittedRecords(
            bootstrapServers,
            topic,
            record -> taker.accept(WindowSummary.parseFrom(record.value())));
  }

  void start() {
    records.start();
  }

  /** Throws what ended the reading, if anything did. */
  void requireHealthy() {
    records.requireHealthy();
  }

  /** Ends the thread, if it was started. */
  @Override
  public void close() {
    records.close();
  }
}
