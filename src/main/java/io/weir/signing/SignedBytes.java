package io.weir.signing;

import io.weir.internal.deadletter.DeadLetterHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The bytes that a code covers. Each kind begins with a different name, so that a code of one kind
 * is never valid for another:
 *
 * <pre>
 * gateway's key   weir-gateway-v1 00 gateway_id 00 generation      under the master
 * redrive's key   weir-redrive-key-v1                              under the master
 * batch           weir-batch-v1 00 topic 00 partition value        under the gateway's key
 * redriven batch  weir-redrive-v1 00 topic 00 partition
 *                 length its topic length partition length offset length reason value
 *                                                                  under the redrive's key
 * the same, for   weir-redrive-for-v1 00 topic 00 partition
 * an application  length its topic length partition length offset length reason
 *                 length application value                         under the redrive's key
 * </pre>
 *
 * Texts are UTF-8, generation, partition and lengths 4 bytes big-endian, the numbers of the
 * redriven record are decimal text as in the headers, a missing reason is empty, and the value is
 * the record's complete value, including a schema registry prefix. This class builds the bytes of
 * the two kinds of batch up to the value.
 */
final class SignedBytes {
  /** The headers of a redriven batch that its signature covers, in this order. */
  static final List<String> REDRIVE_HEADERS =
      List.of(
          DeadLetterHeaders.REDRIVE_TOPIC,
          DeadLetterHeaders.REDRIVE_PARTITION,
          DeadLetterHeaders.REDRIVE_OFFSET,
          DeadLetterHeaders.REDRIVE_REASON);

  /** The same of one that an application is to handle. */
  private static final List<String> REDRIVE_FOR_HEADERS =
      Stream.concat(REDRIVE_HEADERS.stream(), Stream.of(DeadLetterHeaders.REDRIVE_APPLICATION))
          .toList();

  private static final byte[] GATEWAY = domain("weir-gateway-v1");
  private static final byte[] BATCH = domain("weir-batch-v1");
  private static final byte[] REDRIVE = domain("weir-redrive-v1");
  private static final byte[] REDRIVE_FOR = domain("weir-redrive-for-v1");
  private static final byte[] REDRIVE_KEY = utf8("weir-redrive-key-v1");
  private static final byte[] EMPTY = {};

  private SignedBytes() {}

  static byte[] gatewayKey(byte[] gatewayId, int generation) {
    return ByteBuffer.allocate(GATEWAY.length + gatewayId.length + 1 + Integer.BYTES)
        .put(GATEWAY)
        .put(gatewayId)
        .put((byte) 0)
        .putInt(generation)
        .array();
  }

  static byte[] redriveKey() {
    return REDRIVE_KEY.clone();
  }

  static byte[] batch(String topic, int partition) {
    return place(BATCH, topic, partition, 0).array();
  }

  static byte[] redrive(String topic, int partition, Headers headers) {
    boolean isFor = headers.lastHeader(DeadLetterHeaders.REDRIVE_APPLICATION) != null;
    List<String> names = isFor ? REDRIVE_FOR_HEADERS : REDRIVE_HEADERS;
    int size = 0;
    for (String name : names) {
      size += Integer.BYTES + value(headers, name).length;
    }
    ByteBuffer bytes = place(isFor ? REDRIVE_FOR : REDRIVE, topic, partition, size);
    for (String name : names) {
      byte[] value = value(headers, name);
      bytes.putInt(value.length).put(value);
    }
    return bytes.array();
  }

  private static ByteBuffer place(byte[] domain, String topic, int partition, int room) {
    byte[] name = utf8(topic);
    return ByteBuffer.allocate(domain.length + name.length + 1 + Integer.BYTES + room)
        .put(domain)
        .put(name)
        .put((byte) 0)
        .putInt(partition);
  }

  private static byte[] value(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? EMPTY : header.value();
  }

  private static byte[] domain(String name) {
    return utf8(name + "\0");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
