package io.weir.internal.imports;

import io.weir.internal.text.JsonValues.Literal;
import io.weir.internal.wire.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Records that are one number each.
 *
 * @param form how Kafka's own serializers write it
 */
public record NumberRecords(Form form) implements RecordDecoder {
  /** Text, or bytes with the most significant first. */
  public enum Form {
    TEXT(0),
    DOUBLE(Double.BYTES),
    FLOAT(Float.BYTES),
    LONG(Long.BYTES),
    INT(Integer.BYTES);

    private final int bytes;

    Form(int bytes) {
      this.bytes = bytes;
    }
  }

  @Override
  public List<Object> decode(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    ByteBuffer bytes = ByteBuffer.wrap(value);
    if (form != Form.TEXT && value.length != form.bytes) {
      throw UndecodableException.malformed(
          value.length + " bytes, expected: " + form.bytes + ", of a " + form);
    }
    return List.of(
        switch (form) {
          case TEXT -> text(bytes);
          case DOUBLE -> new Literal(Double.toString(bytes.getDouble()));
          case FLOAT -> new Literal(Double.toString(bytes.getFloat()));
          case LONG -> new Literal(Long.toString(bytes.getLong()));
          case INT -> new Literal(Integer.toString(bytes.getInt()));
        });
  }

  private static String text(ByteBuffer bytes) throws UndecodableException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString().strip();
    } catch (CharacterCodingException e) {
      throw UndecodableException.malformed("not UTF-8");
    }
  }
}
