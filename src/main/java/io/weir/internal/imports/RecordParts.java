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
record RecordParts(ConsumerRecord<byte[], byte[]> record) implements UnaryOperator<String> {
  private static final String HEADER = "header:";
  private static final String KEY = "key:";
  private static final String TOPIC = "topic:";

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

  private static String text(byte[] bytes) {
    try {
      return bytes == null
          ? ""
          : StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return ""; // Two keys must not become one sensor.
    }
  }
}
