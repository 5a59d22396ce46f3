package io.weir.internal.wire;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The head in Confluent's wire format, before a payload or in the header {@value #HEADER}.
 *
 * <pre>
 * 00, schema id: 4 bytes big-endian, message indexes      before the payload; understood as a header
 * 01, schema GUID: 16 bytes,         message indexes      in the header, the value being bare protobuf
 * </pre>
 *
 * @param schema the schema of the message's file
 * @param message the message in that file
 * @param length in bytes: where the payload begins
 */
public record FrameHead(SchemaKey schema, MessageIndexes message, int length) {
  /** The header of a record whose value has no head of its own. */
  public static final String HEADER = "__value_schema_id";

  /** The same for a record's key. */
  public static final String KEY_HEADER = "__key_schema_id";

  private static final int ID_MAGIC = 0;
  private static final int GUID_MAGIC = 1;
  private static final int GUID_END = 17;
  private static final byte[] NOTHING = {};

  /**
   * Reads the head at the start of a value or in a header.
   *
   * @throws UndecodableException if it is truncated or invalid
   */
  public static FrameHead read(byte[] bytes) throws UndecodableException {
    if (bytes.length == 0 || (bytes[0] != ID_MAGIC && bytes[0] != GUID_MAGIC)) {
      throw UndecodableException.malformed("a frame's head begins with neither 0 nor 1");
    }
    boolean byId = bytes[0] == ID_MAGIC;
    int keyEnd = byId ? Frame.ID_END : GUID_END;
    if (bytes.length <= keyEnd) {
      throw breaksOff(bytes);
    }
    CodedInputStream in = CodedInputStream.newInstance(bytes, keyEnd, bytes.length - keyEnd);
    MessageIndexes message;
    try {
      message = MessageIndexes.read(in);
    } catch (IOException e) {
      throw breaksOff(bytes);
    }
    ByteBuffer key = ByteBuffer.wrap(bytes, 1, keyEnd - 1);
    SchemaKey schema =
        byId
            ? new SchemaKey.Id(key.getInt())
            : new SchemaKey.Guid(new UUID(key.getLong(), key.getLong()));
    return new FrameHead(schema, message, keyEnd + in.getTotalBytesRead());
  }

  /**
   * The head in a record's header; null if it has none.
   *
   * @param headers may be null
   * @param name {@link #HEADER} or {@link #KEY_HEADER}
   * @throws UndecodableException if the header is invalid
   */
  public static FrameHead beside(Headers headers, String name) throws UndecodableException {
    Header header = headers == null ? null : headers.lastHeader(name);
    return header == null ? null : read(header.value() == null ? NOTHING : header.value());
  }

  private static UndecodableException breaksOff(byte[] bytes) {
    return UndecodableException.malformed("frame of " + bytes.length + " bytes is truncated");
  }
}
