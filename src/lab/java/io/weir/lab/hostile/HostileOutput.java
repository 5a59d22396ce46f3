package io.weir.lab.hostile;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Life;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.wire.ResetMark;
import io.weir.internal.wire.Tick;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.RedriveMark;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * What a row is on a topic that only Weir or an operator may write: a record that is forged, each
 * field of its message by the field's type.
 *
 * @param topic its default name
 * @param key may be null
 * @param value may be null
 */
public record HostileOutput(String topic, byte[] key, Headers headers, byte[] value) {
  /** Length of the windows that are plausible. */
  public static final long SIZE_MS = 500;

  /** The sensor, the group, the rule: each text where it is plausible. */
  public static final String NAME = "hostile";

  /** Headers that Weir writes, whoever reads them. */
  private static final List<String> HEADERS =
      Stream.concat(
              Stream.of(DeadLetterHeaders.class.getFields()).map(HostileOutput::constant),
              Stream.of(
                  Tick.HEADER,
                  ResetMark.HEADER,
                  "weir.signature",
                  "weir.import.origin",
                  "weir.import.progress",
                  "weir.oversized-batch"))
          .toList();

  private static final int MOST_BYTES = 900_000;
  private static final int LARGE = 200_000;
  private static final int ELEMENT_BYTES = 8;

  /** The record as a consumer reads it. */
  public ConsumerRecord<byte[], byte[]> read(int partition, long offset, long appendMs) {
    return new ConsumerRecord<>(
        topic,
        partition,
        offset,
        appendMs,
        TimestampType.LOG_APPEND_TIME,
        -1,
        -1,
        key,
        value,
        headers,
        Optional.empty());
  }

  private static String constant(Field field) {
    try {
      return (String) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The message of a topic, in the words of {@link HostilePart#OUTPUT}. */
  public static Message type(String topic) {
    return find(topic).map(Topic::message).orElse(RedriveMark.getDefaultInstance());
  }

  private static Optional<Topic> find(String topic) {
    return Stream.of(Topic.values()).filter(each -> each.text().equals(topic)).findFirst();
  }

  /**
   * Makes it.
   *
   * @param nowMs milliseconds since the Unix epoch, at which a window of {@link #SIZE_MS} begins
   */
  public static HostileOutput of(HostileRow row, long nowMs) {
    String topic = row.level(HostilePart.OUTPUT);
    String name =
        find(topic)
            .map(Topic::defaultName)
            .orElse(TopicNames.redriven(Topic.DEAD_LETTERS.defaultName()));
    return new HostileOutput(name, key(row), headers(row), value(row, type(topic), nowMs));
  }

  private static byte[] key(HostileRow row) {
    return switch (row.level(HostilePart.OUTPUT_KEY)) {
      case "its own" -> NAME.getBytes(StandardCharsets.UTF_8);
      case "none" -> null;
      case "no UTF-8" -> new byte[] {-1};
      case "200 kB" -> new byte[LARGE];
      default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_KEY);
    };
  }

  private static Headers headers(HostileRow row) {
    String text =
        switch (row.level(HostilePart.OUTPUT_HEADERS)) {
          case "its own", "none", "null" -> null;
          case "7" -> "7";
          case "18 digits" -> "9".repeat(18);
          case "16 digits of f" -> "f".repeat(16);
          case "5 kB" -> "9".repeat(5_000);
          default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_HEADERS);
        };
    byte[] value = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    Headers headers = new RecordHeaders();
    if (row.is(HostilePart.OUTPUT_HEADERS, "its own")) {
      headers = DeadLetterHeaders.of(new Origin(Topic.READINGS.defaultName(), 3, 7));
      headers.add(new Life(7).header());
    } else if (!row.is(HostilePart.OUTPUT_HEADERS, "none")) {
      for (String name : HEADERS) {
        headers.add(name, value);
      }
    }
    return headers;
  }

  private static byte[] value(HostileRow row, Message type, long nowMs) {
    Message.Builder message = type.newBuilderForType();
    new Forgery(row, nowMs).fill(message);
    byte[] bytes = message.build().toByteArray();
    return switch (row.level(HostilePart.OUTPUT_VALUE)) {
      case "as it is" -> bytes;
      case "null" -> null;
      case "empty" -> new byte[0];
      case "cut off" -> Arrays.copyOf(bytes, Math.max(0, bytes.length - 1));
      case "120,000 empty fields" -> emptyFields(type);
      default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_VALUE);
    };
  }

  /** The last field of messages or texts, without a byte, again and again. */
  private static byte[] emptyFields(Message type) {
    int number = 1;
    for (FieldDescriptor field : type.getDescriptorForType().getFields()) {
      boolean delimited =
          field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              || field.getJavaType() == FieldDescriptor.JavaType.STRING;
      number = delimited && field.getNumber() < 16 ? field.getNumber() : number;
    }
    byte[] bytes = new byte[240_000];
    for (int i = 0; i < bytes.length; i += 2) {
      bytes[i] = (byte) (number << 3 | 2);
    }
    return bytes;
  }

  /** A message in the making, which stays below the size of a record. */
  private static final class Forgery {
    private final HostileRow row;
    private final long nowMs;
    private int bytes;

    Forgery(HostileRow row, long nowMs) {
      this.row = row;
      this.nowMs = nowMs;
    }

    void fill(Message.Builder message) {
      for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
        OneofDescriptor choice = field.getRealContainingOneof();
        if (choice != null && !chosen(choice).equals(field)) {
          continue;
        }
        if (field.isRepeated()) {
          int times = times();
          for (int i = 0; i < times && bytes < MOST_BYTES; i++) {
            message.addRepeatedField(field, value(message, field, i));
          }
        } else {
          message.setField(field, value(message, field, 0));
        }
      }
    }

    private FieldDescriptor chosen(OneofDescriptor choice) {
      int number = HostilePart.OUTPUT_CHOICE.levels().indexOf(row.level(HostilePart.OUTPUT_CHOICE));
      return choice.getField(number % choice.getFieldCount());
    }

    private int times() {
      String level = row.level(HostilePart.OUTPUT_TIMES);
      return level.equals("none") ? 0 : Integer.parseInt(level.replace(",", ""));
    }

    private Object value(Message.Builder message, FieldDescriptor field, int element) {
      bytes += ELEMENT_BYTES;
      return switch (field.getJavaType()) {
        case STRING -> text(field, element);
        case BYTE_STRING -> binary();
        case LONG -> number(field);
        case INT -> (int) number(field);
        case DOUBLE -> real();
        case FLOAT -> (float) real();
        case BOOLEAN -> !row.is(HostilePart.OUTPUT_NUMBER, "0");
        case ENUM -> state(field.getEnumType());
        case MESSAGE -> {
          Message.Builder inner = message.newBuilderForField(field);
          fill(inner);
          if (field.isMapField()) {
            FieldDescriptor key = inner.getDescriptorForType().findFieldByName("key");
            inner.setField(key, inner.getField(key) + (element == 0 ? "" : "" + element));
          }
          yield inner.build();
        }
      };
    }

    private String text(FieldDescriptor field, int element) {
      String text =
          switch (row.level(HostilePart.OUTPUT_TEXT)) {
            case "short" -> NAME;
            case "empty" -> "";
            case "null character" -> NAME + '\0';
            case "200 kB" -> bytes < MOST_BYTES - LARGE ? "h".repeat(LARGE) : NAME;
            case "all different" -> NAME + field.getNumber() + "/" + element;
            default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_TEXT);
          };
      bytes += text.length();
      return text;
    }

    private ByteString binary() {
      int length =
          switch (row.level(HostilePart.OUTPUT_BYTES)) {
            case "16" -> 16;
            case "none" -> 0;
            case "200 kB" -> bytes < MOST_BYTES - LARGE ? LARGE : 0;
            default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_BYTES);
          };
      bytes += length;
      return ByteString.copyFrom(new byte[length]);
    }

    private long number(FieldDescriptor field) {
      String name = field.getName();
      return switch (row.level(HostilePart.OUTPUT_NUMBER)) {
        case "plausible" ->
            name.equals("window_end_ms") ? nowMs + SIZE_MS : name.endsWith("_ms") ? nowMs : 1;
        case "0" -> 0;
        case "-1" -> -1;
        case "2^63 - 1" -> Long.MAX_VALUE;
        case "-2^63" -> Long.MIN_VALUE;
        case "-2^63 to 2^63 - 1" -> name.contains("start") ? Long.MIN_VALUE : Long.MAX_VALUE;
        default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_NUMBER);
      };
    }

    private double real() {
      return switch (row.level(HostilePart.OUTPUT_REAL)) {
        case "1" -> 1;
        case "NaN" -> Double.NaN;
        case "infinite" -> Double.NEGATIVE_INFINITY;
        case "largest" -> Double.MAX_VALUE;
        case "-0" -> -0.0;
        default -> throw HostileRecord.unknown(row, HostilePart.OUTPUT_REAL);
      };
    }

    private Object state(EnumDescriptor type) {
      int number = Integer.parseInt(row.level(HostilePart.OUTPUT_STATE));
      return type.findValueByNumberCreatingIfUnknown(number);
    }
  }
}
