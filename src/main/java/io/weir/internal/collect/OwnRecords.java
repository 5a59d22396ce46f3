package io.weir.internal.collect;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.wire.GatewayIdField;
import io.weir.signing.BatchSigner;
import io.weir.signing.BatchVerifier;
import io.weir.signing.GatewayKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Identifies the records on a topic that this gateway has sent: those with its id and, if there are
 * keys, its signature, because any producer may write another gateway's id. One thread.
 */
final class OwnRecords {
  private final WeirConfig config;
  private final byte[] gateway;
  private final GatewayIdField gatewayField = new GatewayIdField();
  private final Optional<MasterKeys> masters;
  private final Optional<GatewayKey> key;
  private final Map<Channel, BatchVerifier> verifiers = new EnumMap<>(Channel.class);
  private final Map<Channel, BatchSigner> signers = new EnumMap<>(Channel.class);

  OwnRecords(WeirConfig config, String gatewayId) {
    this.config = config;
    this.gateway = gatewayId.getBytes(StandardCharsets.UTF_8);
    this.masters = config.signing().masters();
    this.key = config.signing().gatewayKey(gatewayId);
  }

  /** Whether a signature can show who has sent a record. */
  boolean hasKeys() {
    return masters.isPresent() || key.isPresent();
  }

  /** Whether a record has the id of this gateway. */
  boolean isNamed(ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value();
    if (!Arrays.equals(record.key(), gateway) || value == null || !gatewayField.find(value)) {
      return false;
    }
    int begin = gatewayField.offset();
    return Arrays.equals(value, begin, begin + gatewayField.length(), gateway, 0, gateway.length);
  }

  /**
   * Whether this gateway has sent it.
   *
   * @throws CollectRefusedException if the configured keys do not show its sender
   */
  boolean isProven(Channel channel, ConsumerRecord<byte[], byte[]> record) {
    if (masters.isPresent()) {
      Outcome outcome =
          verifiers
              .computeIfAbsent(channel, missing -> new BatchVerifier(name(missing), masters.get()))
              .check(record.partition(), record.value(), record.headers(), record.timestamp())
              .outcome();
      return outcome == Outcome.GATEWAY || outcome == Outcome.EXPIRED;
    }
    if (key.isPresent() && !isSigned(channel, record, key.get())) {
      throw new CollectRefusedException(
          "%s-%d offset %d has the gateway id %s and is not signed with its key: set weir.signing.keys.file, which shows whether it was sent with an earlier key or by another sender"
              .formatted(
                  record.topic(),
                  record.partition(),
                  record.offset(),
                  new String(gateway, StandardCharsets.UTF_8)));
    }
    return true;
  }

  /** Signs again: the same key produces the same header. */
  private boolean isSigned(
      Channel channel, ConsumerRecord<byte[], byte[]> record, GatewayKey with) {
    RecordHeaders expected = new RecordHeaders();
    signers
        .computeIfAbsent(channel, missing -> BatchSigner.of(name(missing), with))
        .sign(record.partition(), record.value(), expected);
    return Arrays.stream(expected.toArray())
        .allMatch(header -> header.equals(record.headers().lastHeader(header.key())));
  }

  private String name(Channel channel) {
    return config.nameOf(channel.topic());
  }
}
