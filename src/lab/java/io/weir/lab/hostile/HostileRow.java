package io.weir.lab.hostile;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One row of the table: what each part is. Immutable. */
public final class HostileRow {
  /** Where it goes. */
  public enum Target {
    /** A record on the topic of readings. */
    READINGS,
    /** A record on one of the topics of events. */
    EVENTS,
    /** Rows of the outbox in PostgreSQL. */
    OUTBOX,
    /** A request to the HTTP inputs of an edge. */
    HTTP,
    /** A message from an MQTT broker. */
    MQTT,
    /** A message of a Sparkplug edge node. */
    SPARKPLUG,
    /** A forged record on a topic that only Weir or an operator may write. */
    OUTPUT
  }

  private final Target target;
  private final List<HostilePart> parts;
  private final int[] levels;

  HostileRow(Target target, int[] levels) {
    this.target = target;
    this.parts = HostilePart.of(target);
    this.levels = levels.clone();
  }

  public Target target() {
    return target;
  }

  /** What a part is, in the words of {@link HostilePart#levels}; the usual of one of elsewhere. */
  public String level(HostilePart part) {
    int index = parts.indexOf(part);
    return part.levels().get(index < 0 ? 0 : levels[index]);
  }

  /** Whether a part is one of these. */
  boolean is(HostilePart part, String... names) {
    return List.of(names).contains(level(part));
  }

  /** How many parts are not as usual. */
  public int unusual() {
    return (int) Arrays.stream(levels).filter(level -> level > 0).count();
  }

  /** The parts that are not as usual, such as {@code readings KEY 2 MB, CODEC zstd}. */
  @Override
  public String toString() {
    return target.name().toLowerCase(java.util.Locale.ROOT)
        + " "
        + IntStream.range(0, levels.length)
            .filter(part -> levels[part] > 0)
            .mapToObj(part -> parts.get(part) + " " + level(parts.get(part)))
            .collect(Collectors.joining(", "));
  }
}
