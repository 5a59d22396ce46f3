package io.weir.internal.deadletter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The offsets of a partition that the running life has not read: those before its first record,
 * those that were deleted, and those that only a lost state had read. Of more than {@value #MOST}
 * ranges the oldest is forgotten: what is in front of its end is not known. As text {@code known
 * from@from-to,from-to~kept life}.
 *
 * @param knownFrom before this offset nothing is known
 * @param ranges in the order in which they were found
 */
public record UnreadOffsets(long knownFrom, List<Range> ranges) {
  /** Most ranges that are known: each commit of the partition carries them. */
  public static final int MOST = 16;

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})@(.*)");
  private static final Pattern RANGE =
      Pattern.compile("([0-9]{1,18})-([0-9]{1,18})(~([0-9a-f]{16}))?");

  /**
   * Some of them.
   *
   * @param to the first offset behind them
   * @param kept where a state lost its end: its life. The running life goes on with what that state
   *     had read in front of the range
   */
  public record Range(long from, long to, Optional<Life> kept) {
    boolean has(long offset) {
      return from <= offset && offset < to;
    }

    @Override
    public String toString() {
      return from + "-" + to + kept.map(life -> "~" + life).orElse("");
    }
  }

  /** Whether the running life has read a record. */
  public enum Answer {
    READ,
    UNREAD,
    NOT_KNOWN
  }

  public UnreadOffsets {
    ranges = List.copyOf(ranges);
  }

  /** Those before the first record of a life that began with an empty state. */
  public static UnreadOffsets before(long firstOffset) {
    return new UnreadOffsets(
        0, firstOffset == 0 ? List.of() : List.of(new Range(0, firstOffset, Optional.empty())));
  }

  /** The same with another range, behind the last record that was read. */
  public UnreadOffsets with(Range range) {
    List<Range> more = new ArrayList<>(ranges);
    more.add(range);
    return more.size() > MOST
        ? new UnreadOffsets(more.get(0).to(), more.subList(1, more.size()))
        : new UnreadOffsets(knownFrom, more);
  }

  /** The same once a record was read: if the topic lost its end, the offsets from it on are new. */
  public UnreadOffsets read(long offset) {
    if (ranges.isEmpty() || ranges.get(ranges.size() - 1).to() <= offset) {
      return this;
    }
    List<Range> left =
        ranges.stream()
            .filter(range -> range.from() < offset)
            .map(range -> new Range(range.from(), Math.min(range.to(), offset), range.kept()))
            .toList();
    return new UnreadOffsets(Math.min(knownFrom, offset), left);
  }

  /** Whether the running life has read a record of the partition. */
  public Answer at(long offset) {
    if (offset < knownFrom) {
      return Answer.NOT_KNOWN;
    }
    return ranges.stream().anyMatch(range -> range.has(offset)) ? Answer.UNREAD : Answer.READ;
  }

  /** The first offset that the running life has read, or may have read. */
  public long firstRead() {
    return knownFrom > 0 || ranges.isEmpty() || ranges.get(0).from() > 0 ? 0 : ranges.get(0).to();
  }

  /** The end of the last range in front of an offset that was read; 0 for none. */
  public long readFrom(long offset) {
    return ranges.stream().mapToLong(Range::to).filter(to -> to <= offset).max().orElse(0);
  }

  /** Whether the running life goes on with what another one had read up to an offset. */
  boolean kept(Life life, long offset) {
    return ranges.stream()
        .anyMatch(range -> offset < range.from() && range.kept().filter(life::equals).isPresent());
  }

  /** Parses the text; empty if it is invalid. */
  static Optional<UnreadOffsets> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    List<Range> ranges = new ArrayList<>();
    for (String each : parts.group(2).isEmpty() ? new String[0] : parts.group(2).split(",", -1)) {
      Matcher range = RANGE.matcher(each);
      if (!range.matches()) {
        return Optional.empty();
      }
      ranges.add(
          new Range(
              Long.parseLong(range.group(1)),
              Long.parseLong(range.group(2)),
              Optional.ofNullable(range.group(4)).flatMap(Life::parse)));
    }
    return Optional.of(new UnreadOffsets(Long.parseLong(parts.group(1)), ranges));
  }

  @Override
  public String toString() {
    return knownFrom + "@" + ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }
}
