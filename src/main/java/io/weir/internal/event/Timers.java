package io.weir.internal.event;

import io.weir.internal.event.EventColumns.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The scheduled events of a partition by due time; ties are broken by the order of scheduling.
 * Tracks changes since the last write. Scheduling, cancelling and firing cost O(log n). Not
 * thread-safe.
 */
public final class Timers {
  /** The result of an order. */
  public enum Outcome {
    SCHEDULED,
    REPLACED,
    CANCELLED,
    NOTHING_TO_CANCEL,
    TOO_MANY
  }

  /** Receives due timers. */
  @FunctionalInterface
  public interface Sink {
    /**
     * A timer is due.
     *
     * @param dueMs its due time; for a repeating timer the last one that has passed
     * @param missed number of earlier due times that were missed
     */
    void fire(Timer timer, long dueMs, long missed);
  }

  private static final class Count extends KeyTable.Entry {
    private int timers;
    private long bytes;

    Count(byte[] key) {
      super(key);
    }
  }

  /** The timers of a gateway. */
  private static final class Share {
    private static final Share NOTHING = new Share();

    private int timers;
    private long bytes;
  }

  /** A larger event that repeats counts as several: a record of a few bytes goes on for ever. */
  private static final int BYTES_EACH = 1 << 10;

  private final TimerLimits limits;
  private final KeyTable<Timer> byName = new KeyTable<>();
  private final KeyTable<Count> byKey = new KeyTable<>();
  private final Map<Long, Share> byWriter = new HashMap<>();

  /** How often those that repeat are due, in 1,000 s, see {@link #repeats}. */
  private final GatewayShares repeats = new GatewayShares();

  /** A binary heap. */
  private Timer[] waiting = new Timer[16];

  private long bytes;
  private long nextOrder;

  /** All that were scheduled before {@code doneOrder} and due at {@code doneMs} were fired. */
  private long doneMs;

  private long doneOrder;
  private final DirtyEntries<Timer> touched = new DirtyEntries<>();
  private final List<byte[]> removed = new ArrayList<>();

  public Timers(TimerLimits limits) {
    this.limits = limits;
  }

  /**
   * Schedules an event of a batch, replacing one with the same key and id, or cancels it. If a
   * limit is exceeded, nothing changes.
   */
  public Outcome order(EventColumns batch, int event) {
    byte[] name =
        Timer.name(
            batch.record(),
            batch.offset(event, Text.KEY),
            batch.length(event, Text.KEY),
            batch.offset(event, Text.ID),
            batch.length(event, Text.ID));
    Timer before = byName.get(name, 0, name.length);
    if (batch.isCancel(event)) {
      if (before == null) {
        return Outcome.NOTHING_TO_CANCEL;
      }
      remove(before);
      return Outcome.CANCELLED;
    }
    long moreRepeats =
        repeats(batch.everyMs(event), batch.messageLength(event))
            - (before == null ? 0 : repeats(before));
    if (!hasRoomFor(name, batch.writerId(), batch.messageLength(event), before)
        || moreRepeats > 0
            && !repeats.hasRoom(batch.writerId(), moreRepeats, TimerLimits.MOST_REPEATS)) {
      return Outcome.TOO_MANY;
    }
    int offset = batch.messageOffset(event);
    byte[] message = new byte[batch.messageLength(event)];
    System.arraycopy(batch.record(), offset, message, 0, message.length);
    schedule(
        name,
        batch.writerId(),
        message,
        batch.dueMs(event),
        batch.everyMs(event),
        batch.timestampMs(event) != 0);
    return before == null ? Outcome.SCHEDULED : Outcome.REPLACED;
  }

  private static long repeats(Timer timer) {
    return repeats(timer.everyMs(), timer.event().length);
  }

  /** How often in 1,000 s, at least once, for each KiB of an event that repeats. */
  private static long repeats(long everyMs, int eventLength) {
    return everyMs == 0 ? 0 : Math.max(1, 1_000_000 / everyMs) * (1 + eventLength / BYTES_EACH);
  }

  /** Schedules an event, replacing one with the same name, regardless of limits. */
  public Timer schedule(
      byte[] name, long writerId, byte[] event, long dueMs, long everyMs, boolean hasTimestamp) {
    return schedule(name, writerId, event, dueMs, everyMs, hasTimestamp, 0);
  }

  /**
   * As {@link #schedule(byte[], long, byte[], long, long, boolean)}.
   *
   * @param inMs see {@link Timer#inMs}
   */
  public Timer schedule(
      byte[] name,
      long writerId,
      byte[] event,
      long dueMs,
      long everyMs,
      boolean hasTimestamp,
      long inMs) {
    Timer before = get(name);
    if (before != null) {
      remove(before);
    }
    Timer timer = new Timer(name, event, dueMs, everyMs, nextOrder++, hasTimestamp, writerId, inMs);
    add(timer);
    touched.add(timer);
    return timer;
  }

  /** The timer with a name, or null. */
  public Timer get(byte[] name) {
    return byName.get(name, 0, name.length);
  }

  /** Cancels a timer. */
  public void cancel(Timer timer) {
    remove(timer);
  }

  /** Removes and returns the first due timer; null if none is due. */
  public Timer poll(long appendMs) {
    Timer first = waiting[0];
    if (first == null || first.dueMs() > appendMs) {
      return null;
    }
    remove(first);
    return first;
  }

  /**
   * Whether the limits allow more timers of a key.
   *
   * @param name the name of any of its timers
   * @param writerId the gateway whose limits apply
   */
  public boolean hasRoomFor(byte[] name, long writerId, int more, long moreBytes) {
    Share share = byWriter.getOrDefault(writerId, Share.NOTHING);
    if (isBeyond(byName.size(), share.timers, more, limits.all())
        || isBeyond(bytes, share.bytes, moreBytes, limits.bytes())) {
      return false;
    }
    Count count = byKey.get(name, 2, Timer.keyLength(name));
    int ofKey = count == null ? 0 : count.timers;
    long bytesOfKey = count == null ? 0 : count.bytes;
    return !isBeyond(ofKey, more, limits.perKey())
        && !isBeyond(bytesOfKey, moreBytes, limits.bytesPerKey());
  }

  /** Whether the limits allow another timer, which may replace one. */
  private boolean hasRoomFor(byte[] name, long writerId, int eventLength, Timer before) {
    int more = before == null ? 1 : 0;
    long moreBytes = Timer.bytes(name.length, eventLength) - (before == null ? 0 : before.bytes());
    return hasRoomFor(name, writerId, more, moreBytes);
  }

  /** A replacement that is not larger is allowed even above a lowered limit. */
  private static boolean isBeyond(long now, long more, long most) {
    return more > 0 && now + more > most;
  }

  /** Above half, each writer is limited to its share, so that one writer cannot use all. */
  private static boolean isBeyond(long now, long ofWriter, long more, long most) {
    return isBeyond(now, more, most)
        || isBeyond(now, more, most / 2) && isBeyond(ofWriter, more, most / TimerLimits.SHARES);
  }

  private void add(Timer timer) {
    byName.add(timer);
    Count count = byKey.get(timer.key, 2, timer.keyLength());
    if (count == null) {
      count = new Count(timer.ofKey());
      byKey.add(count);
    }
    count.timers++;
    count.bytes += timer.bytes();
    Share share = byWriter.computeIfAbsent(timer.writerId(), any -> new Share());
    share.timers++;
    share.bytes += timer.bytes();
    repeats.add(timer.writerId(), repeats(timer));
    bytes += timer.bytes();
    int last = byName.size() - 1;
    if (last == waiting.length) {
      waiting = Arrays.copyOf(waiting, 2 * last);
    }
    up(timer, last);
  }

  private void remove(Timer timer) {
    int last = byName.size() - 1;
    Timer moved = waiting[last];
    waiting[last] = null;
    if (moved != timer) {
      up(moved, timer.place);
      down(moved);
    }
    byName.remove(timer);
    Count count = byKey.get(timer.key, 2, timer.keyLength());
    count.bytes -= timer.bytes();
    bytes -= timer.bytes();
    if (--count.timers == 0) {
      byKey.remove(count);
    }
    Share share = byWriter.get(timer.writerId());
    share.bytes -= timer.bytes();
    repeats.add(timer.writerId(), -repeats(timer));
    if (--share.timers == 0) {
      byWriter.remove(timer.writerId());
    }
    touched.remove(timer);
    removed.add(timer.key);
  }

  private void up(Timer timer, int from) {
    int at = from;
    while (at > 0 && timer.isBefore(waiting[(at - 1) / 2])) {
      put(waiting[(at - 1) / 2], at);
      at = (at - 1) / 2;
    }
    put(timer, at);
  }

  /** The last slot may be empty during a removal. */
  private void down(Timer timer) {
    int at = timer.place;
    while (true) {
      int first = 2 * at + 1;
      if (isThere(first + 1) && waiting[first + 1].isBefore(waiting[first])) {
        first++;
      }
      if (!isThere(first) || !waiting[first].isBefore(timer)) {
        put(timer, at);
        return;
      }
      put(waiting[first], at);
      at = first;
    }
  }

  private boolean isThere(int place) {
    return place < waiting.length && waiting[place] != null;
  }

  private void put(Timer timer, int place) {
    waiting[place] = timer;
    timer.place = place;
  }

  /**
   * Fires due timers in order.
   *
   * @param appendMs append time of the record at hand
   * @param most how many at the most
   * @param expired takes those that are of no use any more, for the last time
   * @return whether more is due
   */
  public boolean fire(long appendMs, int most, Sink sink, Consumer<Timer> expired) {
    for (int fired = 0; waiting[0] != null && waiting[0].dueMs() <= appendMs; fired++) {
      if (fired == most) {
        return true;
      }
      Timer first = waiting[0];
      if (first.isExpired(appendMs)) {
        remove(first);
        expired.accept(first);
      } else {
        fire(first, appendMs, sink);
      }
    }
    doneMs = appendMs;
    doneOrder = nextOrder;
    return false;
  }

  private void fire(Timer timer, long appendMs, Sink sink) {
    long everyMs = timer.everyMs();
    long missed = everyMs == 0 ? 0 : (appendMs - timer.dueMs()) / everyMs;
    long lastMs = timer.dueMs() + missed * everyMs;
    sink.fire(timer, lastMs, missed);
    if (everyMs == 0 || lastMs > Long.MAX_VALUE - everyMs) {
      remove(timer);
    } else {
      timer.dueMs(lastMs + everyMs);
      down(timer);
      touched.add(timer);
    }
  }

  /**
   * The clock went back, as after a record of a broker whose clock is far ahead: what repeats, and
   * waits for longer than its repetition and some more, is due at its next time after the clock as
   * it is. None is due before it was for the first time. Costs a look at each that waits.
   *
   * @param appendMs append time of the record at hand
   * @param mostAheadMs how far the clock may have been ahead without any consequence
   */
  public void clockWentBack(long appendMs, long mostAheadMs) {
    doneMs = Math.min(doneMs, appendMs);
    List<Timer> ahead = new ArrayList<>();
    byName.forEach(
        timer -> {
          if (timer.everyMs() > 0 && timer.dueMs() - appendMs - mostAheadMs > timer.everyMs()) {
            ahead.add(timer);
          }
        });
    for (Timer timer : ahead) {
      long firstMs = timer.firstDueMs();
      long untilMs = Math.max(appendMs + 1, firstMs);
      long times = (timer.dueMs() - untilMs) / timer.everyMs();
      if (times > 0) {
        timer.dueMs(timer.dueMs() - times * timer.everyMs());
        up(timer, timer.place);
        touched.add(timer);
      }
    }
  }

  /**
   * Those that would wait for longer than they were scheduled for, since the clock went back, in
   * the order in which they are due. Costs a look at each that waits.
   *
   * @param appendMs append time of the record at hand
   * @param mostAheadMs how far the clock may have been ahead without any consequence
   */
  public List<Timer> tooLong(long appendMs, long mostAheadMs) {
    List<Timer> tooLong = new ArrayList<>();
    byName.forEach(
        timer -> {
          if (timer.inMs() > 0 && timer.dueMs() - appendMs - mostAheadMs > timer.inMs()) {
            tooLong.add(timer);
          }
        });
    tooLong.sort(
        Comparator.comparingLong((Timer timer) -> timer.dueMs()).thenComparingLong(Timer::order));
    return tooLong;
  }

  /** When the first is due; Long.MAX_VALUE where none waits. */
  public long nextDueMs() {
    return waiting[0] == null ? Long.MAX_VALUE : waiting[0].dueMs();
  }

  /** How many wait. */
  public int size() {
    return byName.size();
  }

  /** What those that wait take in memory, nearly: see {@link TimerLimits}. */
  public long bytes() {
    return bytes;
  }

  /** The order that the next one gets. */
  public long nextOrder() {
    return nextOrder;
  }

  /** The append time of the last record at which all due timers were fired. */
  public long doneMs() {
    return doneMs;
  }

  /** The order that a new timer would have got at that record. */
  public long doneOrder() {
    return doneOrder;
  }

  /** To be deleted, before anything is put. */
  public List<byte[]> removed() {
    return removed;
  }

  /** Hands over those to be put. */
  public void forEachTouched(Consumer<Timer> action) {
    touched.forEach(action);
  }

  /** All changes were written. */
  public void written() {
    touched.clear();
    removed.clear();
  }

  /** Puts back one that was kept. */
  public void restore(Timer timer) {
    dropRestored(timer.key);
    add(timer);
  }

  /** Takes out one that was not kept after all. */
  public void dropRestored(byte[] name) {
    Timer timer = byName.get(name, 0, name.length);
    if (timer != null) {
      remove(timer);
      removed.clear();
    }
  }

  /** Does something with each that waits, in no order. */
  public void forEach(Consumer<Timer> action) {
    byName.forEach(action);
  }

  /** Restores what {@link #nextOrder}, {@link #doneMs} and {@link #doneOrder} returned. */
  public void restoreOrder(long order, long doneMs, long doneOrder) {
    this.nextOrder = order;
    this.doneMs = doneMs;
    this.doneOrder = doneOrder;
  }

  /**
   * Ends a restore: removes timers that were fired before. An old replica of the changelog brings
   * them back after their deletion marks were deleted.
   */
  public void resume() {
    List<Timer> stale = new ArrayList<>();
    byName.forEach(
        timer -> {
          if (timer.order() < doneOrder && timer.dueMs() <= doneMs) {
            stale.add(timer);
          }
        });
    stale.forEach(this::remove);
  }

  public void clear() {
    byName.clear();
    byKey.clear();
    byWriter.clear();
    repeats.clear();
    waiting = new Timer[16];
    bytes = 0;
    restoreOrder(0, 0, 0);
    written();
  }
}
