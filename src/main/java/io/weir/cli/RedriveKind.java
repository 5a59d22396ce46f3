package io.weir.cli;

import io.weir.internal.event.EventRefusal;
import io.weir.internal.redrive.KnownOffsets;
import io.weir.reading.RejectReason;
import io.weir.topic.Topic;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The records that can be sent again. */
enum RedriveKind {
  LATE(Topic.LATE),
  DEAD_LETTERS(Topic.DEAD_LETTERS),
  /** Dead letters of events. */
  EVENTS(Topic.DEAD_LETTERS, "events");

  private final Topic topic;
  private final String text;

  RedriveKind(Topic topic) {
    this(topic, topic.text());
  }

  RedriveKind(Topic topic, String text) {
    this.topic = topic;
    this.text = text;
  }

  /** The topic of these records. */
  Topic topic() {
    return topic;
  }

  /** Converts an argument. */
  static final class Converter implements ITypeConverter<RedriveKind> {
    @Override
    public RedriveKind convert(String text) {
      return Stream.of(values())
          .filter(kind -> kind.text.equals(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException(text + ": expected: late, dead-letters or events"));
    }
  }

  /** Converts a reason: of readings and batches, or else of events. */
  static final class Reason implements ITypeConverter<Enum<?>> {
    @Override
    public Enum<?> convert(String text) {
      return Stream.<Enum<?>[]>of(RejectReason.values(), EventRefusal.values())
          .flatMap(Stream::of)
          .filter(reason -> reason.name().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      text + ": expected: a reason of docs/reference/dead-letters.md"));
    }
  }

  /** Converts offsets of the topic of windows. */
  static final class Offsets implements ITypeConverter<KnownOffsets> {
    static final String DESCRIPTION =
        "Skip unreadable records of weir.windows at PARTITION:OFFSET, or "
            + "PARTITION:FIRST-LAST. Check first that they are no windows. Repeatable.";

    @Override
    public KnownOffsets convert(String text) {
      try {
        return KnownOffsets.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Whether both readings and events have a reason of this name. */
  static boolean isOfBoth(String reason) {
    return isOneOf(RejectReason.values(), reason) && isOneOf(EventRefusal.values(), reason);
  }

  private static boolean isOneOf(Enum<?>[] reasons, String name) {
    return Stream.of(reasons).anyMatch(reason -> reason.name().equals(name));
  }

  /** The argument. */
  @Override
  public String toString() {
    return text;
  }
}
