package io.weir.cli;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.weir.topic.TopicNames;
import io.weir.v1.ControlRecord;
import io.weir.v1.ReadingBatch;
import io.weir.v1.WindowSummary;
import io.weir.wire.Frame;
import io.weir.wire.UndecodableException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The topics a person can look into. */
enum TailKind {
  WINDOWS("windows", TopicNames::windows, WindowSummary.parser()),
  LATE("late", TopicNames::late, ReadingBatch.parser()),
  DEAD_LETTERS("dead-letters", TopicNames::deadLetters, ReadingBatch.parser()),
  READINGS("readings", TopicNames::readings, ReadingBatch.parser()),
  CONTROL("control", TopicNames::control, ControlRecord.parser());

  private final String text;
  private final Function<TopicNames, String> topic;
  private final Parser<? extends Message> parser;

  TailKind(String text, Function<TopicNames, String> topic, Parser<? extends Message> parser) {
    this.text = text;
    this.topic = topic;
    this.parser = parser;
  }

  /** The topic's name on a cluster. */
  String topic(TopicNames names) {
    return topic.apply(names);
  }

  /** Whether its records carry headers that a person wants to see. */
  boolean showsHeaders() {
    return this == LATE || this == DEAD_LETTERS;
  }

  /** The message in a record's value, framed or bare. */
  Message decode(byte[] value) throws InvalidProtocolBufferException, UndecodableException {
    int payload = Frame.payloadOffset(value);
    return parser.parseFrom(value, payload, value.length - payload);
  }

  /** The same; empty where there is no such message. */
  Optional<Message> message(byte[] value) {
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(decode(value));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      return Optional.empty();
    }
  }

  /** A kind as one types it. */
  static final class Converter implements ITypeConverter<TailKind> {
    @Override
    public TailKind convert(String text) {
      return Stream.of(values())
          .filter(kind -> kind.text.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      text + ": allowed is windows, late, dead-letters, readings or control"));
    }
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return text;
  }
}
