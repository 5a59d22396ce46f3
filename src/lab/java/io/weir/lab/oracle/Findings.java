package io.weir.lab.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What is not as it must be, counted; the first few findings in words. Exact if nothing was found.
 * Not safe for several threads.
 */
public final class Findings {
  private static final int MOST_LINES = 20;

  private long lost;
  private long doubled;
  private long wrongWindows;
  private long wrongRecords;
  private final List<String> lines = new ArrayList<>();

  /** Readings that are missing where they belong. */
  public void lost(long readings, String where) {
    lost += readings;
    report("lost %,d: %s", readings, where);
  }

  /** Readings that are there more than once. */
  public void doubled(long readings, String where) {
    doubled += readings;
    report("doubled %,d: %s", readings, where);
  }

  /** A window whose latest summary is another than it must be. */
  public void wrongWindow(String what) {
    wrongWindows++;
    report("wrong window: %s", what);
  }

  /** A record that must not be as it is. */
  public void wrongRecord(String what) {
    wrongRecords++;
    report("wrong record: %s", what);
  }

  private void report(String format, Object... what) {
    if (lines.size() < MOST_LINES) {
      lines.add(String.format(Locale.ROOT, format, what));
    }
  }

  /** Takes over what was found elsewhere. */
  public void add(Findings other) {
    lost += other.lost;
    doubled += other.doubled;
    wrongWindows += other.wrongWindows;
    wrongRecords += other.wrongRecords;
    other.lines.stream().limit(MOST_LINES - lines.size()).forEach(lines::add);
  }

  /** Readings that are missing. */
  public long lost() {
    return lost;
  }

  /** Readings that are counted more than once. */
  public long doubled() {
    return doubled;
  }

  /** Windows whose latest summary is not what a single pass over their readings gives. */
  public long wrongWindows() {
    return wrongWindows;
  }

  /**
   * Other records that are not as they must be: an emission that came twice, a foreign dead letter.
   */
  public long wrongRecords() {
    return wrongRecords;
  }

  public boolean areNone() {
    return lost == 0 && doubled == 0 && wrongWindows == 0 && wrongRecords == 0;
  }

  /** The first of them, a line each. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
