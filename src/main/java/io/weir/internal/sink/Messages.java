package io.weir.internal.sink;

import com.google.protobuf.Message;
import io.weir.internal.sink.RejectedException.Reason;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The message of a record, bare or in Confluent's frame, whose schema id is not looked up. */
final class Messages {
  private Messages() {}

  /**
   * @param type an instance of the message
   */
  static <T extends Message> T decode(ConsumerRecord<byte[], byte[]> record, T type)
      throws RejectedException {
    byte[] value = record.value();
    if (value == null || value.length == 0) {
      throw new RejectedException(Reason.UNDECODABLE, "the record has no value");
    }
    try {
      int payload = Frame.isFramed(value) ? FrameHead.read(value).length() : 0;
      return Protobuf.read(type, value, payload);
    } catch (UndecodableException e) {
      throw new RejectedException(
          Reason.UNDECODABLE, "no message of " + record.topic() + ": " + e.getMessage());
    }
  }

  /** The name in the proto file without its prefix; unknown values are numbers, as in JSON. */
  static String name(Enum<?> value, int number, String prefix) {
    String name = value.name();
    return name.startsWith(prefix) ? name.substring(prefix.length()) : String.valueOf(number);
  }
}
