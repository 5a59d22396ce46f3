package io.weir.internal.redrive;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a transaction of a redrive does, before it is committed. One thread. */
final class RedriveTally {
  private final Map<ResendOutcome, Long> records = new EnumMap<>(ResendOutcome.class);
  private final Set<Long> batchIds = new HashSet<>();
  private final List<String> left = new ArrayList<>();
  private long batches;
  private long readings;
  private long leftReadings;
  private long publishedReadings;

  /** Counts a record. */
  void add(ResendOutcome outcome) {
    records.merge(outcome, 1L, Long::sum);
  }

  /** Counts what is sent of a record. */
  void add(Resend parts) {
    batches += parts.batches().size();
    readings += parts.readings();
    leftReadings += parts.leftReadings();
  }

  /** Counts readings that are left out, as their windows were published. */
  void addPublished(long number) {
    publishedReadings += number;
  }

  /** Adds a batch; returns whether it is new. */
  boolean addBatch(long batchId) {
    return batchIds.add(batchId);
  }

  /** Adds a record that is not sent, to be named. */
  void leave(String what) {
    left.add(what);
  }

  /** Adds what another one has counted. */
  void add(RedriveTally other) {
    other.records.forEach((outcome, number) -> records.merge(outcome, number, Long::sum));
    batches += other.batches;
    readings += other.readings;
    leftReadings += other.leftReadings;
    publishedReadings += other.publishedReadings;
  }

  Set<Long> batchIds() {
    return batchIds;
  }

  List<String> left() {
    return left;
  }

  RedriveReport report(long offsetsLookedAt, long offsetsInAll) {
    return new RedriveReport(
        offsetsLookedAt, offsetsInAll, records, batches, readings, leftReadings, publishedReadings);
  }
}
