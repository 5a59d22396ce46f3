package io.weir.internal.collect;

import io.weir.internal.collect.Rejected.Reason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The counters of a collector. Safe for many threads. */
public final class CollectCounters {
  private final Map<Channel, LongAdder> rows = new EnumMap<>(Channel.class);
  private final Map<Reason, LongAdder> rejects = new EnumMap<>(Reason.class);
  private final LongAdder batches = new LongAdder();
  private final LongAdder batchNanos = new LongAdder();
  private final LongAdder reconnects = new LongAdder();
  private final LongAdder fenced = new LongAdder();
  private final LongAdder resent = new LongAdder();
  private final LongAdder budgetMs = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder rejectsDeleted = new LongAdder();

  CollectCounters() {
    Stream.of(Channel.values()).forEach(channel -> rows.put(channel, new LongAdder()));
    Stream.of(Reason.values()).forEach(reason -> rejects.put(reason, new LongAdder()));
  }

  void packed(Packing packing) {
    rows.forEach((channel, count) -> count.add(packing.rows(channel)));
    packing.rejects().forEach(reject -> rejects.get(reject.reason()).increment());
  }

  void expired(int count) {
    expired.add(count);
  }

  void rejectsDeleted(int count) {
    rejectsDeleted.add(count);
  }

  void acknowledged(long nanos) {
    batches.increment();
    batchNanos.add(nanos);
  }

  void reconnected() {
    reconnects.increment();
  }

  void lostLease() {
    fenced.increment();
  }

  void resent(int count) {
    resent.add(count);
  }

  void waitedForBudget(long ms) {
    budgetMs.add(ms);
  }

  /** Names of the kinds of rows: readings, events, scheduled. */
  public static Stream<String> kinds() {
    return Stream.of(Channel.values()).map(channel -> channel.name().toLowerCase(Locale.ROOT));
  }

  /** Rows of a kind that are sent or in flight. */
  public long rows(String kind) {
    return rows.get(Channel.valueOf(kind.toUpperCase(Locale.ROOT))).sum();
  }

  /** Names of the reasons for which rows are rejected. */
  public static Stream<String> reasons() {
    return Stream.of(Reason.values()).map(Reason::name);
  }

  /** Rows in weir_outbox_rejects, by reason. */
  public long rejects(String reason) {
    return rejects.get(Reason.valueOf(reason)).sum();
  }

  /** Rows that had expired before their batch was created, and were not sent. */
  public long expired() {
    return expired.sum();
  }

  /** Rejects that were deleted after their retention. */
  public long rejectsDeleted() {
    return rejectsDeleted.sum();
  }

  /** Transactions whose batches were acknowledged. */
  public long batches() {
    return batches.sum();
  }

  /** Total time from commit to acknowledgement, in nanoseconds. */
  public long batchNanos() {
    return batchNanos.sum();
  }

  /** The number of reconnections. */
  public long reconnects() {
    return reconnects.sum();
  }

  /** The number of takeovers by another process. */
  public long fenced() {
    return fenced.sum();
  }

  /** Batches that were in flight at a takeover or reconnection, and were sent again. */
  public long resent() {
    return resent.sum();
  }

  /** Time that rows waited for the budget, in milliseconds. */
  public long budgetMs() {
    return budgetMs.sum();
  }
}
