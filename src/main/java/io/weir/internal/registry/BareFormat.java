package io.weir.internal.registry;

import com.google.protobuf.Message;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.UndecodableException;
import org.apache.kafka.common.header.Headers;

/** The format without a registry. */
final class BareFormat implements ValueFormat {
  private static final Writer AS_IT_IS =
      new Writer() {
        @Override
        public byte[] write(byte[] payload, Headers headers) {
          return payload;
        }

        @Override
        public int mostAddedBytes() {
          return 0;
        }
      };

  @Override
  public Writer writer(String topic, Message message) {
    return AS_IT_IS;
  }

  @Override
  public Reader reader(String topic, Message message, WaitLimit waitLimit) {
    return BareFormat::admit;
  }

  /** The decoder checks the message indexes of a frame. */
  private static byte[] admit(byte[] value, Headers headers) throws UndecodableException {
    FrameHead beside = Frame.isFramed(value) ? null : FrameHead.beside(headers, FrameHead.HEADER);
    if (beside != null) {
      Frame.requireFirst(beside.message());
    }
    return value;
  }
}
