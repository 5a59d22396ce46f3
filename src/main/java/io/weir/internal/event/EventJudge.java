package io.weir.internal.event;

import io.weir.internal.event.EventColumns.Text;
import io.weir.reading.Fnv1a;
import io.weir.reading.IdPermit;

/** Decides which events of a batch are accepted. Not thread-safe. */
public final class EventJudge {
  /** Maximum number of fields of an event. */
  public static final int MAX_FIELDS = 1_000;

  /** Maximum size of an event: folds and scheduled events must fit in records. */
  public static final int MAX_BYTES = 256 << 10;

  /** Bytes added to a scheduled event when it is due: due_ms, missed and timestamp_ms. */
  public static final int COMING_BYTES = 30;

  /** Shortest time after which an event may repeat. */
  public static final long MIN_EVERY_MS = 1_000;

  /** The kind of a topic's events. */
  public enum Kind {
    /** Events that have happened. */
    HAPPENED,
    /** Scheduled events and cancellations. */
    SCHEDULED
  }

  private final Kind kind;
  private final int partition;
  private final int partitions;
  private final int maxTextBytes;
  private final long maxFutureSkewMs;

  /**
   * @param partition that the batches come from, of so many
   * @param maxTextBytes longest key, subject, type, id and name of a field, in bytes of UTF-8
   * @param maxFutureSkewMs how far ahead of the latest append time an event that happened may be
   */
  public EventJudge(
      Kind kind, int partition, int partitions, int maxTextBytes, long maxFutureSkewMs) {
    this.kind = kind;
    this.partition = partition;
    this.partitions = partitions;
    this.maxTextBytes = maxTextBytes;
    this.maxFutureSkewMs = maxFutureSkewMs;
  }

  /**
   * Judges all events of a batch.
   *
   * @param appendMs append time of the batch
   * @param latestMs the later of the batch's and the partition's newest append time
   * @param keys the keys that the gateway may publish
   * @return how many are refused
   */
  public int judge(EventColumns batch, long appendMs, long latestMs, IdPermit keys) {
    int refused = 0;
    for (int i = 0; i < batch.size(); i++) {
      EventRefusal why = judge(batch, i, appendMs, latestMs, keys);
      batch.refuse(i, why);
      refused += why == null ? 0 : 1;
    }
    return refused;
  }

  private EventRefusal judge(
      EventColumns batch, int i, long appendMs, long latestMs, IdPermit keys) {
    if (batch.length(i, Text.KEY) == 0) {
      return EventRefusal.MISSING_KEY;
    }
    if (hasLongText(batch, i)) {
      return EventRefusal.TEXT_TOO_LONG;
    }
    if (batch.fieldsEnd(i) - batch.firstField(i) > MAX_FIELDS
        || batch.timesEnd(i) - batch.firstTime(i) > MAX_FIELDS) {
      return EventRefusal.TOO_MANY_FIELDS;
    }
    boolean comes = kind == Kind.SCHEDULED && !batch.isCancel(i);
    if (batch.messageLength(i) > (comes ? MAX_BYTES - COMING_BYTES : MAX_BYTES)) {
      return EventRefusal.EVENT_TOO_LARGE;
    }
    EventRefusal ofTimes =
        kind == Kind.HAPPENED ? happened(batch, i, latestMs) : scheduled(batch, i, latestMs);
    if (ofTimes != null) {
      return ofTimes;
    }
    if (isExpired(batch.expiresMs(i), comes ? Math.max(appendMs, batch.dueMs(i)) : appendMs)) {
      return EventRefusal.EXPIRED_EVENT;
    }
    int offset = batch.offset(i, Text.KEY);
    int length = batch.length(i, Text.KEY);
    int hash = Fnv1a.hash(batch.record(), offset, length);
    if (Integer.remainderUnsigned(hash, partitions) != partition) {
      return EventRefusal.MISROUTED;
    }
    return keys.allows(batch.record(), offset, length) ? null : EventRefusal.NOT_ITS_KEY;
  }

  /**
   * Whether an event has expired.
   *
   * @param expiresMs its expiry; 0 for never
   */
  public static boolean isExpired(long expiresMs, long atMs) {
    return expiresMs != 0 && atMs > expiresMs;
  }

  private boolean hasLongText(EventColumns batch, int i) {
    for (Text text : TEXTS) {
      if (batch.length(i, text) > maxTextBytes) {
        return true;
      }
    }
    for (int field = batch.firstField(i); field < batch.fieldsEnd(i); field++) {
      if (batch.nameLength(field) > maxTextBytes) {
        return true;
      }
    }
    for (int time = batch.firstTime(i); time < batch.timesEnd(i); time++) {
      if (batch.timeNameLength(time) > maxTextBytes) {
        return true;
      }
    }
    return false;
  }

  /** Whether the time of a field is not positive, or later than its event. */
  private static boolean hasInvalidTime(EventColumns batch, int i, long eventMs) {
    for (int time = batch.firstTime(i); time < batch.timesEnd(i); time++) {
      if (batch.timeMs(time) <= 0 || batch.timeMs(time) > eventMs) {
        return true;
      }
    }
    return false;
  }

  private static final Text[] TEXTS = Text.values();

  private EventRefusal happened(EventColumns batch, int i, long latestMs) {
    long timestampMs = batch.timestampMs(i);
    if (timestampMs <= 0 || hasInvalidTime(batch, i, timestampMs)) {
      return EventRefusal.INVALID_TIMESTAMP;
    }
    return timestampMs - maxFutureSkewMs > latestMs ? EventRefusal.FUTURE_TIMESTAMP : null;
  }

  /** Also checks the event as it will be when it is due, because then nobody can correct it. */
  private EventRefusal scheduled(EventColumns batch, int i, long latestMs) {
    if (batch.isCancel(i)) {
      return null;
    }
    long eventMs = batch.timestampMs(i) == 0 ? batch.dueMs(i) : batch.timestampMs(i);
    if (batch.timestampMs(i) < 0 || batch.dueMs(i) > 0 && hasInvalidTime(batch, i, eventMs)) {
      return EventRefusal.INVALID_TIMESTAMP;
    }
    if (batch.dueMs(i) <= 0) {
      return EventRefusal.INVALID_DUE;
    }
    if (batch.timestampMs(i) - maxFutureSkewMs > Math.max(batch.dueMs(i), latestMs)) {
      return EventRefusal.FUTURE_TIMESTAMP;
    }
    long everyMs = batch.everyMs(i);
    return everyMs == 0 || everyMs >= MIN_EVERY_MS ? null : EventRefusal.INVALID_EVERY;
  }
}
