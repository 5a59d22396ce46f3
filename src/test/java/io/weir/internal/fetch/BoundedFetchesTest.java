package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

class BoundedFetchesTest {
  /** The consumer looks at requests that it could not send: they have to be its own. */
  @Test
  void consumer_whoseBrokersAreAway_goesOnPolling() throws IOException {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:" + freePort(),
            ConsumerConfig.GROUP_ID_CONFIG,
            "weir");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      BoundedFetches.limit(consumer, 1 << 20, 1 << 20);
      consumer.subscribe(List.of("readings"));

      assertThat(consumer.poll(Duration.ofSeconds(1))).isEmpty();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
