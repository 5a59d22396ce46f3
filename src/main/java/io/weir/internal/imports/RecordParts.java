package io.weir.internal.imports;

import io.weir.internal.text.JsonValues;
import io.weir.internal.text.mapping.JsonPath;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The parts of a sensor id that a record has besides its value. */
public record RecordParts(ConsumerRecord<byte[], byte[]> record) implements UnaryOperator<String> {
  private static final String HEADER = "header:";
  private static final String KEY = "key:";
  private static final String TOPIC = "topic:";

  /** More than any id may have: each reading of a record has a copy of its key. */
  private static final int LONGEST = 16_384;

  /** The text of a part; empty where the record lacks it or its bytes are no UTF-8. */
  @Override
  public String apply(String part) {
    if (part.startsWith(HEADER)) {
      Header header = record.headers().lastHeader(part.substring(HEADER.length()));
      return header == null ? "" : text(header.value());
    }
    if (part.startsWith(KEY)) {
      return JsonValues.textAt(record.key(), JsonPath.parse(part.substring(KEY.length())));
    }
    if (part.startsWith(TOPIC)) {
      return levelOfTopic(Integer.parseInt(part.substring(TOPIC.length())));
    }
    return switch (part) {
      case "key" -> text(record.key());
      case "topic" -> record.topic();
      case "partition" -> Integer.toString(record.partition());
      default -> "";
    };
  }

  private String levelOfTopic(int number) {
    String[] levels = record.topic().split("\\.", -1);
    int at = number > 0 ? number - 1 : levels.length + number;
    return at >= 0 && at < levels.length ? levels[at] : "";
  }

  /** Not within a character. */
  private static int cut(byte[] bytes) {
    int end = Math.min(bytes.length, LONGEST);
    while (end > 0 && end < bytes.length && (bytes[end] & 0xc0) == 0x80) {
      end--;
    }
    return end;
  }

  private static String text(byte[] bytes) {
    try {
      return bytes == null
          ? ""
          : StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, 0, cut(bytes)))
              .toString();
    } catch (CharacterCodingException e) {
      return ""; // Two keys must not become one sensor.
    }
  }
}
