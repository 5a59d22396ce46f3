package io.weir.internal.input.sparkplug;

import java.util.zip.CRC32C;

/**
 * A message of an edge node.
 *
 * @param body do not modify
 * @param arrivalNanos since 1970
 */
record SparkplugMessage(SparkplugTopic topic, byte[] body, long arrivalNanos) {
  private static final int OBJECT_BYTES = 200;

  /** Of its topic and body. */
  long checksum() {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return crc.getValue() << Integer.SIZE ^ topic.hashCode();
  }

  int bytes() {
    return OBJECT_BYTES + body.length;
  }
}
