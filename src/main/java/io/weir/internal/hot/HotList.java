package io.weir.internal.hot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The {@value #LENGTH} sensors or gateways with the most readings in the last complete minute of
 * log time, with exact counts. After a minute has ended, its counters are scanned in slices while
 * the next minute is counted. The first, incomplete minute is omitted. Not thread-safe. Keeps one
 * reference per counter of the current and the previous minute.
 */
public final class HotList<T extends CountedByMinute> {
  public static final int LENGTH = 20;

  private static final long MINUTE_MS = 60_000;
  private static final int NONE = Integer.MIN_VALUE;

  private int minute = NONE;
  private int began = NONE;
  private List<T> counted = new ArrayList<>();

  /** The minute that ended. */
  private int ended = NONE;

  private long endedTotal;
  private List<T> ofEnded = List.of();
  private int looked;
  private final List<HeavyHitter> heaviest = new ArrayList<>();
  private final List<T> top = new ArrayList<>();

  /**
   * Advances to a record.
   *
   * @param logMs its log time in milliseconds; never earlier than that of the record before
   * @return whether a whole minute has ended
   */
  public boolean observe(long logMs) {
    int now = (int) Math.floorDiv(logMs, MINUTE_MS);
    if (now == minute) {
      return false;
    }
    boolean whole = minute != NONE && now - 1 > began;
    if (minute == NONE) {
      began = now;
    }
    if (whole) {
      ended = now - 1;
      endedTotal = 0;
      ofEnded = now - 1 == minute ? counted : List.of();
      looked = 0;
      top.clear();
    }
    minute = now;
    counted = new ArrayList<>();
    return whole;
  }

  /** Whether a record with that log time ends the current minute. */
  public boolean isOver(long logMs) {
    return Math.floorDiv(logMs, MINUTE_MS) != minute;
  }

  /** Counts readings in the minute of the current record. */
  public void add(T what, long readings) {
    if (what.count(minute, readings)) {
      counted.add(what);
    }
  }

  /**
   * Scans a slice of the ended minute; must be complete before the next one ends.
   *
   * @param slice maximum number
   * @return whether all were scanned
   */
  public boolean look(int slice) {
    int end = (int) Math.min(ofEnded.size(), (long) looked + slice);
    for (; looked < end; looked++) {
      T what = ofEnded.get(looked);
      long readings = what.readingsIn(ended);
      endedTotal += readings;
      if (top.size() < LENGTH || readings > top.get(LENGTH - 1).readingsIn(ended)) {
        insert(what, readings);
      }
    }
    return looked == ofEnded.size();
  }

  private void insert(T what, long readings) {
    int place = top.size();
    while (place > 0 && top.get(place - 1).readingsIn(ended) < readings) {
      place--;
    }
    top.add(place, what);
    if (top.size() > LENGTH) {
      top.remove(LENGTH);
    }
  }

  /** Ends the scan of a minute, and returns its heaviest, by readings, then by id. */
  public List<HeavyHitter> take() {
    heaviest.clear();
    top.forEach(what -> heaviest.add(new HeavyHitter(what.name(), what.readingsIn(ended))));
    heaviest.sort(
        Comparator.comparingLong(HeavyHitter::readings).reversed().thenComparing(HeavyHitter::id));
    top.clear();
    ofEnded = List.of();
    looked = 0;
    return List.copyOf(heaviest);
  }

  /** Readings of all that were scanned in the ended minute. */
  public long total() {
    return endedTotal;
  }

  /** Drops all counts. */
  public void clear() {
    minute = NONE;
    began = NONE;
    counted = new ArrayList<>();
    ofEnded = List.of();
    looked = 0;
    top.clear();
  }
}
