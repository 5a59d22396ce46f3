package io.weir.internal.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import io.weir.v1.Value;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Protobuf messages as JSON: the proto's field names, every field except unset optional ones,
 * numbers as numbers (64 bits too), enums by name, maps as objects, the value of an event's field
 * as a plain value. Numbers that JSON lacks are the strings NaN, Infinity and -Infinity.
 */
public final class MessageJson {
  private static final String SUM_REST = "weir.v1.WindowSummary.sum_rest";
  private static final String BOOT_ID = "boot_id";
  private static final String MILLISECONDS = "_ms";

  private MessageJson() {}

  /** Writes an element into the object that is open. */
  @FunctionalInterface
  public interface Fields<T> {
    void write(T element, JsonGenerator json) throws IOException;
  }

  /** Writes an array of objects. */
  public static <T> void writeObjects(
      String name, Iterable<T> elements, Fields<? super T> fields, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (T element : elements) {
      json.writeStartObject();
      fields.write(element, json);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Writes a message's fields into the object that is open. */
  public static void writeFields(Message message, JsonGenerator json) throws IOException {
    writeFields(message, Optional.empty(), json);
  }

  private static String unsigned(Object number) {
    return Long.toUnsignedString((Long) number);
  }

  /** Whether to omit a field: an unset optional one, or an empty {@code sum_rest}. */
  private static boolean isAbsent(FieldDescriptor field, Message message) {
    if (field.isRepeated()) {
      return field.getFullName().equals(SUM_REST) && message.getRepeatedFieldCount(field) == 0;
    }
    return field.hasPresence() && !message.hasField(field);
  }

  /**
   * Writes a message's fields into the object that is open.
   *
   * @param times writes each time, NAME_ms, also as a text, NAME
   */
  public static void writeFields(Message message, Optional<ReadableTimes> times, JsonGenerator json)
      throws IOException {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (isAbsent(field, message)) {
        continue;
      }
      json.writeFieldName(field.getName());
      if (field.isMapField()) {
        writeMap(field, (List<?>) message.getField(field), times, json);
      } else if (field.isRepeated()) {
        json.writeStartArray();
        for (Object element : (List<?>) message.getField(field)) {
          writeValue(field, element, times, json);
        }
        json.writeEndArray();
      } else {
        writeValue(field, message.getField(field), times, json);
        writeReadable(field, message, times, json);
      }
      if (field.getName().equals(BOOT_ID)) {
        // Beyond 2^53: jq and JavaScript have only doubles and would round the number.
        json.writeStringField(BOOT_ID + "_text", unsigned(message.getField(field)));
      }
    }
  }

  /** An object with the map's keys. */
  private static void writeMap(
      FieldDescriptor field, List<?> entries, Optional<ReadableTimes> times, JsonGenerator json)
      throws IOException {
    FieldDescriptor value = field.getMessageType().findFieldByName("value");
    json.writeStartObject();
    for (Object element : entries) {
      MapEntry<?, ?> entry = (MapEntry<?, ?>) element;
      json.writeFieldName(String.valueOf(entry.getKey()));
      writeValue(value, entry.getValue(), times, json);
    }
    json.writeEndObject();
  }

  private static void writeReadable(
      FieldDescriptor field, Message message, Optional<ReadableTimes> times, JsonGenerator json)
      throws IOException {
    String name = field.getName();
    if (times.isPresent() && name.endsWith(MILLISECONDS)) {
      String text = times.get().text((Long) message.getField(field));
      json.writeStringField(name.substring(0, name.length() - MILLISECONDS.length()), text);
    }
  }

  private static void writeValue(
      FieldDescriptor field, Object value, Optional<ReadableTimes> times, JsonGenerator json)
      throws IOException {
    switch (field.getType()) {
      case DOUBLE -> writeDouble((Double) value, json);
      case FLOAT -> writeDouble((Float) value, json);
      case UINT64, FIXED64 -> json.writeNumber(Long.toUnsignedString((Long) value));
      case INT64, SINT64, SFIXED64 -> json.writeNumber((Long) value);
      case UINT32, FIXED32 -> json.writeNumber(Integer.toUnsignedLong((Integer) value));
      case INT32, SINT32, SFIXED32 -> json.writeNumber((Integer) value);
      case BOOL -> json.writeBoolean((Boolean) value);
      case STRING -> json.writeString((String) value);
      case BYTES -> json.writeBinary(((ByteString) value).toByteArray());
      case ENUM -> writeEnum((EnumValueDescriptor) value, json);
      case MESSAGE, GROUP -> {
        if (value instanceof Value plain) {
          writePlain(plain, json);
        } else {
          json.writeStartObject();
          writeFields((Message) value, times, json);
          json.writeEndObject();
        }
      }
    }
  }

  /** The value of an event's field as a plain value; bytes in base64. */
  private static void writePlain(Value value, JsonGenerator json) throws IOException {
    switch (value.getKindCase()) {
      case DOUBLE_VALUE -> writeDouble(value.getDoubleValue(), json);
      case INT64_VALUE -> json.writeNumber(value.getInt64Value());
      case BOOL_VALUE -> json.writeBoolean(value.getBoolValue());
      case STRING_VALUE -> json.writeString(value.getStringValue());
      case BYTES_VALUE -> json.writeBinary(value.getBytesValue().toByteArray());
      case NULL_VALUE, KIND_NOT_SET -> json.writeNull();
    }
  }

  public static void writeDouble(double value, JsonGenerator json) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumber(value);
    } else {
      json.writeString(Double.toString(value));
    }
  }

  private static void writeEnum(EnumValueDescriptor value, JsonGenerator json) throws IOException {
    if (value.getIndex() < 0) {
      json.writeNumber(value.getNumber()); // The name is in a newer proto.
    } else {
      json.writeString(value.getName());
    }
  }
}
