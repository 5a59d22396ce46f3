package io.weir.internal.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads messages that anybody may have written. Unknown fields are left out: as objects they take a
 * hundred times their bytes. What takes as much although it is known is counted before.
 */
public final class Protobuf {
  /** An empty message takes two bytes, and as an object some 200. */
  private static final int MAX_MESSAGES = 100_000;

  /** Of one that says anything. */
  private static final int MESSAGE_BYTES = 16;

  /** A packed element takes a byte at least, and as an object 20. */
  private static final int MAX_ELEMENTS = 4_000_000;

  /** An object with two names is made for each number that an open enum does not know. */
  private static final int UNKNOWN_NUMBER_ELEMENTS = 20;

  /** As protobuf has it: builders of deeper messages overflow their stack. */
  private static final int MAX_DEPTH = 100;

  private final int most;
  private int messages;
  private long elements;

  private Protobuf(int most) {
    this.most = most;
  }

  /**
   * The message of a value, bare or in a frame.
   *
   * @param type an instance of the message
   * @param value null for a record without one
   * @throws UndecodableException if it is none, or beyond the limits
   */
  public static <T extends Message> T framed(T type, byte[] value) throws UndecodableException {
    return read(type, value, value == null ? 0 : Frame.payloadOffset(value));
  }

  /** The same without a frame. */
  public static <T extends Message> T read(T type, byte[] value) throws UndecodableException {
    return read(type, value, 0);
  }

  /** The same; empty if it is none. */
  public static <T extends Message> Optional<T> find(T type, byte[] value) {
    try {
      return Optional.of(framed(type, value));
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }

  /**
   * A message that we have written, or whose bytes were checked before. Nothing is counted: another
   * check has other limits, and what it accepted must not fail here.
   */
  public static <T extends Message> T own(T type, byte[] value) {
    try {
      return parse(type, value, 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same from an offset on. */
  public static <T extends Message> T read(T type, byte[] value, int from)
      throws UndecodableException {
    if (value == null) {
      throw UndecodableException.malformed("a record without a value");
    }
    int length = value.length - from;
    int most = Math.max(MAX_MESSAGES, length / MESSAGE_BYTES);
    try {
      if (length > most) {
        new Protobuf(most).check(type.getDescriptorForType(), stream(value, from), 0);
      }
      return parse(type, value, from);
    } catch (IOException e) {
      String name = type.getDescriptorForType().getFullName();
      throw UndecodableException.malformed("not a message " + name + ": " + e.getMessage());
    }
  }

  @SuppressWarnings("unchecked") // The parser of an instance creates messages of its type.
  private static <T extends Message> T parse(T type, byte[] value, int from) throws IOException {
    CodedInputStream in = stream(value, from);
    in.setRecursionLimit(MAX_DEPTH);
    Parser<T> parser = (Parser<T>) type.getParserForType();
    T message = DiscardUnknownFieldsParser.wrap(parser).parseFrom(in);
    in.checkLastTagWas(0);
    return message;
  }

  private static CodedInputStream stream(byte[] value, int from) {
    return CodedInputStream.newInstance(value, from, value.length - from);
  }

  /** Counts what a message would become, before it takes memory. */
  private void check(Descriptor type, CodedInputStream in, int depth) throws IOException {
    if (++messages > most || depth > MAX_DEPTH) {
      throw new IOException("more than " + most + " messages, or " + MAX_DEPTH + " deep");
    }
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int wireType = WireFormat.getTagWireType(tag);
      if (wireType == WireFormat.WIRETYPE_END_GROUP) {
        return;
      }
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      boolean delimited = wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED && field != null;
      if (delimited && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        int outer = in.pushLimit(in.readRawVarint32());
        check(field.getMessageType(), in, depth + 1);
        in.popLimit(outer);
      } else if (delimited
          && field.isPackable()
          && field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        int outer = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
          checkNumber(field.getEnumType(), in);
        }
        in.popLimit(outer);
      } else if (wireType == WireFormat.WIRETYPE_VARINT
          && field != null
          && field.isRepeated()
          && field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        checkNumber(field.getEnumType(), in);
      } else if (delimited && field.isPackable()) {
        int bytes = in.readRawVarint32();
        in.skipRawBytes(bytes);
        add(bytes);
      } else if (wireType == WireFormat.WIRETYPE_START_GROUP
          && field != null
          && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        check(field.getMessageType(), in, depth + 1);
      } else {
        in.skipField(tag);
        if (field != null && field.isRepeated()) { // Else each replaces the one before.
          add(1);
        }
      }
    }
  }

  private void checkNumber(EnumDescriptor type, CodedInputStream in) throws IOException {
    add(type.findValueByNumber(in.readEnum()) == null ? UNKNOWN_NUMBER_ELEMENTS : 1);
  }

  private void add(int values) throws IOException {
    elements += values;
    if (elements > MAX_ELEMENTS) {
      throw new IOException("more than " + MAX_ELEMENTS + " values");
    }
  }
}
