package io.weir.internal.sink;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.weir.internal.sink.RejectedException.Reason;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.UndecodableException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The message of a record, bare or in Confluent's frame, whose schema id is not looked up. */
final class Messages {
  private Messages() {}

  /**
   * @param parser parser of the message type
   */
  static <T> T decode(ConsumerRecord<byte[], byte[]> record, Parser<T> parser)
      throws RejectedException {
    byte[] value = record.value();
    if (value == null) {
      throw new RejectedException(Reason.UNDECODABLE, "the record has no value");
    }
    try {
      int payload = Frame.isFramed(value) ? FrameHead.read(value).length() : 0;
      return parser.parseFrom(CodedInputStream.newInstance(value, payload, value.length - payload));
    } catch (InvalidProtocolBufferException | UndecodableException e) {
      throw new RejectedException(
          Reason.UNDECODABLE, "no message of " + record.topic() + ": " + e.getMessage());
    }
  }
}
