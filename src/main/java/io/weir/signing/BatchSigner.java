package io.weir.signing;

import javax.crypto.Mac;
import org.apache.kafka.common.header.Headers;

/**
 * Signs batches for one topic, each just before it is sent, over its value with everything that is
 * before the payload. Costs a pass of HMAC-SHA256 over the value, and about 100 bytes of the
 * record. Not safe for several threads.
 */
public final class BatchSigner {
  /** More bytes than a signature adds to a record. */
  public static final int MOST_ADDED_BYTES = 160;

  private final String topic;
  private final KeyId keyId;
  private final Mac mac;

  private BatchSigner(String topic, KeyId keyId, byte[] key) {
    this.topic = topic;
    this.keyId = keyId;
    this.mac = Hmac.of(key);
  }

  /** Signs as a gateway. */
  public static BatchSigner of(String topic, GatewayKey key) {
    return new BatchSigner(topic, KeyId.parse(key.id()), key.bytes());
  }

  /** Signs what is sent again: for those who hold a master. */
  public static BatchSigner ofRedrive(String topic, MasterKey master) {
    return new BatchSigner(topic, new KeyId(master.id(), KeyId.REDRIVE), master.redriveKey());
  }

  /**
   * Adds the header with the signature.
   *
   * @param value the record's, as it will be sent
   * @param headers with those of a redrive in them, where it is one
   */
  public void sign(int partition, byte[] value, Headers headers) {
    mac.update(
        keyId.isRedrive()
            ? SignedBytes.redrive(topic, partition, headers)
            : SignedBytes.batch(topic, partition));
    headers.add(BatchSignature.HEADER, BatchSignature.header(keyId, mac.doFinal(value)));
  }
}
