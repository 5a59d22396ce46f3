package io.weir.internal.collect;

import io.weir.internal.app.WeirConfig;
import io.weir.internal.registry.ValueFormat;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Creates the records of batches: the key is the gateway id, the value is framed if a registry is
 * set, and signed if there is a key. One thread.
 */
final class OutgoingRecords {
  private final WeirConfig config;
  private final byte[] key;
  private final ValueFormat format;
  private final Optional<GatewayKey> signingKey;
  private final Map<Channel, ValueFormat.Writer> writers = new EnumMap<>(Channel.class);
  private final Map<Channel, BatchSigner> signers = new EnumMap<>(Channel.class);

  OutgoingRecords(WeirConfig config, String gatewayId) {
    this.config = config;
    this.key = gatewayId.getBytes(StandardCharsets.UTF_8);
    this.format = ValueFormat.of(config.values());
    this.signingKey = config.signing().gatewayKey(gatewayId);
  }

  /** The record of a batch: identical each time, except for a signature by another key. */
  ProducerRecord<byte[], byte[]> record(SentBatch batch) {
    Channel channel = batch.channel();
    String topic = config.nameOf(channel.topic());
    ValueFormat.Writer writer =
        writers.computeIfAbsent(
            channel, missing -> format.writer(topic, missing.topic().message()));
    Headers headers = new RecordHeaders();
    byte[] value = writer.write(batch.value(), headers);
    signingKey.ifPresent(
        signing ->
            signers
                .computeIfAbsent(channel, missing -> BatchSigner.of(topic, signing))
                .sign(batch.partition(), value, headers));
    return new ProducerRecord<>(topic, batch.partition(), null, key, value, headers);
  }
}
