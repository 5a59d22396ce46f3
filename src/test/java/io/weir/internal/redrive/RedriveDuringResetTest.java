package io.weir.internal.redrive;

import static io.weir.internal.redrive.DeadLetterTopic.batch;
import static io.weir.internal.redrive.DeadLetterTopic.reading;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.GatewayResets;
import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.reading.RejectReason;
import io.weir.v1.ReadingBatch;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** An operator resets a gateway while another one's redrive runs. */
class RedriveDuringResetTest extends RedriveFixture {
  private static final ReadingBatch OWN =
      batch("g", reading("a", 5, 1)).toBuilder().setBootId(7).setSequence(1).build();

  private boolean isReset;

  @Test
  void repeatOfACountedBatch_isNotSent_whereTheResetComesDuringTheRedrive() throws Exception {
    try (KafkaProducer<byte[], byte[]> gateways =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        DeadLetterTopic letters = deadLetters()) {
      publish(gateways);
      long repeat = publish(gateways);
      for (int i = 0; i < 60; i++) {
        letters.dead(1, RejectReason.MISROUTED, batch("gw", reading("s" + i, 5, i)));
      }
      letters.commit();
      letters.record(1, headers(repeat), OWN.toByteArray()).commit();
      RecordFilter filter =
          new RecordFilter(
              Set.of(RejectReason.MISROUTED, RejectReason.FENCED), Set.of(), 0, Long.MAX_VALUE);

      RedriveReport report =
          run(
              request(filter),
              soFar -> {
                if (!isReset) {
                  isReset = true;
                  new GatewayResets(gateways, topics).reset("g", new byte[16]);
                }
              });

      assertThat(report.records())
          .isEqualTo(Map.of(ResendOutcome.SENT, 60L, ResendOutcome.COUNTED, 1L));
      assertThat(report.readings()).isEqualTo(60);
      assertThat(rows()).filteredOn(row -> row.startsWith("a=")).hasSize(2);
    }
  }

  private long publish(KafkaProducer<byte[], byte[]> gateways) throws Exception {
    return gateways
        .send(new ProducerRecord<>(topics.readings(), 1, null, OWN.toByteArray()))
        .get()
        .offset();
  }

  private Headers headers(long offset) {
    Headers headers = DeadLetterHeaders.of(new Origin(topics.readings(), 1, offset));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, RejectReason.FENCED.name());
    DeadLetterHeaders.addBatch(headers, OWN.getGatewayId(), OWN.getBootId(), OWN.getSequence());
    return headers;
  }
}
