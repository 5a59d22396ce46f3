package io.weir.lab.chaos;

import io.weir.lab.oracle.NaiveEvents;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchSigner;
import io.weir.signing.GatewayKey;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Speaks for another gateway, without its key: unsigned, with the key of its own, or with that for
 * another topic. Each record says in a header why it must be refused. One thread.
 */
final class Forger {
  static final String ID = "forger";

  private final GatewayKey own;
  private final Random random;

  Forger(GatewayKey own, Random random) {
    this.own = own;
    this.random = random;
  }

  /** A record with the batch of another gateway. */
  ProducerRecord<byte[], byte[]> record(TopicPartition to, byte[] value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(to.topic(), to.partition(), null, value);
    boolean signed = random.nextBoolean();
    if (signed) {
      String topic = random.nextBoolean() ? to.topic() : "another." + to.topic();
      BatchSigner.of(topic, own).sign(to.partition(), value, record.headers());
    }
    RejectReason refused = signed ? RejectReason.BAD_SIGNATURE : RejectReason.UNSIGNED;
    record.headers().add(NaiveEvents.FORGED, refused.name().getBytes(StandardCharsets.US_ASCII));
    return record;
  }
}
