package io.weir.internal.sink;

import io.weir.internal.sink.RejectedException.Reason;
import io.weir.topic.Topic;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** The counters of a sink. Safe for many threads. */
public final class SinkCounters {
  private final Map<Topic, LongAdder> records = new EnumMap<>(Topic.class);
  private final Map<Reason, LongAdder> rejects = new EnumMap<>(Reason.class);
  private final LongAdder transactions = new LongAdder();
  private final LongAdder transactionNanos = new LongAdder();
  private final LongAdder reconnects = new LongAdder();
  private final LongAdder fenced = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder rejectsDeleted = new LongAdder();

  SinkCounters() {
    Stream.of(Topic.values()).forEach(topic -> records.put(topic, new LongAdder()));
    Stream.of(Reason.values()).forEach(reason -> rejects.put(reason, new LongAdder()));
  }

  void written(Topic topic, long count) {
    records.get(topic).add(count);
  }

  void rejected(Reason reason) {
    rejects.get(reason).increment();
  }

  void transaction(long nanos) {
    transactions.increment();
    transactionNanos.add(nanos);
  }

  void reconnected() {
    reconnects.increment();
  }

  void fenced(long partitions) {
    fenced.add(partitions);
  }

  void lost(long offsets) {
    lost.add(offsets);
  }

  void rejectsDeleted(long records) {
    rejectsDeleted.add(records);
  }

  /** Records of a topic whose transactions are committed, rejects included. */
  public long records(Topic topic) {
    return records.get(topic).sum();
  }

  /** Names of the reasons for which records are rejected. */
  public static Stream<String> reasons() {
    return Stream.of(Reason.values()).map(Reason::name);
  }

  /** Records in weir_sink_rejects, by reason. */
  public long rejects(String reason) {
    return rejects.get(Reason.valueOf(reason)).sum();
  }

  /** Committed transactions. */
  public long transactions() {
    return transactions.sum();
  }

  /** Their total duration in nanoseconds. */
  public long transactionNanos() {
    return transactionNanos.sum();
  }

  /** The number of reconnections. */
  public long reconnects() {
    return reconnects.sum();
  }

  /** Writes of partitions that another process had acquired. */
  public long fenced() {
    return fenced.sum();
  }

  /** Offsets that were skipped because their records were deleted. */
  public long lost() {
    return lost.sum();
  }

  /** Rejects that were deleted after their retention. */
  public long rejectsDeleted() {
    return rejectsDeleted.sum();
  }
}
