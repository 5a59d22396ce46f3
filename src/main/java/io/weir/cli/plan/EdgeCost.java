package io.weir.cli.plan;

import static io.weir.cli.plan.ItemList.number;
import static io.weir.cli.plan.PlanUnit.BYTES;
import static io.weir.cli.plan.PlanUnit.COUNT;
import static io.weir.cli.plan.PlanUnit.PER_SECOND;

import io.weir.cli.plan.PlannedJobs.InputLoad;
import io.weir.internal.input.Identities;
import java.util.Optional;

/**
 * Memory and disk of {@code weir edge} with inputs, of one of equal processes. The journal holds
 * batches without compression; their format determines the bytes.
 */
record EdgeCost(InputLoad load, double edges, double rate, double sensors, double readingBytes) {
  /** Of a series in a batch: tags, lengths and the first timestamp. */
  private static final double SERIES_BYTES = 16;

  /** Of a reading: the value, the difference of time, and nanoseconds. */
  private static final double READING_BYTES = 12;

  /** Of a batch: head of the record, gateway id, boot and sequence. */
  private static final double BATCH_BYTES = 70;

  /** The lower bound of weir.edge.dedup.bytes. */
  private static final double LEAST_BYTES = 8 << 20;

  static Optional<EdgeCost> of(Plan plan) {
    PlanInput in = plan.input();
    Publishing publishing = in.jobs().publishing();
    double edges = publishing.gatewaysFor(in.rate());
    double batch = publishing.readingsInBatch(in.rate());
    return in.jobs()
        .inputs()
        .map(
            load ->
                new EdgeCost(
                    load,
                    edges,
                    in.rate() / edges,
                    in.sensors() / edges,
                    (load.idBytes() + SERIES_BYTES) / Math.min(in.run(), batch)
                        + READING_BYTES
                        + BATCH_BYTES / batch));
  }

  /** weir.edge.dedup.bytes. */
  double identityBytes() {
    return Math.max(LEAST_BYTES, Identities.bytesFor(sensors, untilRepeat(), load.idBytes()));
  }

  /** weir.edge.dedup.disk: what a restart reads to recognise repeats. */
  double diskBytes() {
    return rate * load.repeatMs() / 1000 * readingBytes;
  }

  /** weir.spool.max.bytes. */
  double spoolBytes() {
    return rate * load.outageMs() / 1000 * readingBytes + diskBytes();
  }

  private double untilRepeat() {
    return rate / sensors * load.repeatMs() / 1000;
  }

  void add(ItemList items) {
    items.section("Each of " + number(edges) + " edges with inputs");
    items.add(
        "edge_dedup_bytes",
        "weir.edge.dedup.bytes",
        identityBytes(),
        BYTES,
        "%s sensors, each with %s readings until a repeat after %s s, kept as 32, 64 ... 1,024; and"
            + " a reserve for uneven partitions; at least 8 MiB, on the heap",
        COUNT.write(sensors),
        number(untilRepeat()),
        number(load.repeatMs() / 1000));
    items.add(
        "edge_dedup_disk_bytes",
        "weir.edge.dedup.disk",
        diskBytes(),
        BYTES,
        "%s x %s s x %s B; recognises repeats after a restart",
        PER_SECOND.write(rate),
        number(load.repeatMs() / 1000),
        number(readingBytes));
    items.add(
        "edge_spool_bytes",
        "weir.spool.max.bytes",
        spoolBytes(),
        BYTES,
        "%s x %s s without Kafka x %s B, and weir.edge.dedup.disk",
        PER_SECOND.write(rate),
        number(load.outageMs() / 1000),
        number(readingBytes));
  }
}
