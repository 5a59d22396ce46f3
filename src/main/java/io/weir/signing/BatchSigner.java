package io.weir.signing;

import javax.crypto.Mac;
import org.apache.kafka.common.header.Headers;

/**
 * Signs batches for one topic, each just before it is sent, over its complete value, including a
 * schema registry prefix. Costs HMAC-SHA256 over the value and about 100 bytes per record. Not
 * thread-safe.
 */
public final class BatchSigner {
  /** Upper bound of the bytes that a signature adds to a record. */
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

  /** Signs redriven records; needs a master key. */
  public static BatchSigner ofRedrive(String topic, MasterKey master) {
    return new BatchSigner(topic, new KeyId(master.id(), KeyId.REDRIVE), master.redriveKey());
  }

  /**
   * Adds the header with the signature.
   *
   * @param value the record's, as it will be sent
   * @param headers including the redrive headers of a redriven record
   */
  public void sign(int partition, byte[] value, Headers headers) {
    mac.update(
        keyId.isRedrive()
            ? SignedBytes.redrive(topic, partition, headers)
            : SignedBytes.batch(topic, partition));
    headers.add(BatchSignature.HEADER, BatchSignature.header(keyId, mac.doFinal(value)));
  }
}
