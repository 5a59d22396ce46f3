package io.weir.app;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.dev.EmbeddedKafka;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The producer of a stream thread, on a real broker. */
@Timeout(120)
class StreamsClientsTest {
  private final StreamsClients clients = new StreamsClients(() -> false, 32 << 20, 4 << 20);

  /** Whatever other tasks of the thread have sent went with it. */
  @Test
  void producer_afterAnAbortedTransaction_beginsNoOther_andItsSuccessorDoes() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(EmbeddedKafka.Options.DEFAULT)) {
      Map<String, Object> config =
          Map.of(
              ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
              kafka.bootstrapServers(),
              ProducerConfig.TRANSACTIONAL_ID_CONFIG,
              "weir-thread");
      try (Producer<byte[], byte[]> producer = clients.getProducer(config)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.commitTransaction();
        producer.beginTransaction();
        producer.abortTransaction();
        assertThatThrownBy(producer::beginTransaction).isInstanceOf(ProducerFencedException.class);
      }
      try (Producer<byte[], byte[]> successor = clients.getProducer(config)) {
        successor.initTransactions();
        successor.beginTransaction();
        successor.commitTransaction();
      }
    }
  }
}
