package io.weir.collect;

import io.weir.app.WeirConfig;
import io.weir.registry.ValueFormat;
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
 * Batches as records: key the gateway id, the value framed where a registry is set, signed where
 * there is a key. One thread.
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

  /** A record of a batch: the same each time, but for a signature by another key. */
  ProducerRecord<byte[], byte[]> record(SentBatch batch) {
    Channel channel = batch.channel();
    String topic = config.nameOf(channel.topic());
    ValueFormat.Writer writer =
        writers.computeIfAbsent(channel, of -> format.writer(topic, of.topic().message()));
    Headers headers = new RecordHeaders();
    byte[] value = writer.write(batch.value(), headers);
    signingKey.ifPresent(
        own ->
            signers
                .computeIfAbsent(channel, of -> BatchSigner.of(topic, own))
                .sign(batch.partition(), value, headers));
    return new ProducerRecord<>(topic, batch.partition(), null, key, value, headers);
  }
}
