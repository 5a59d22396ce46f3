package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.topic.Replication;
import io.weir.topic.TopicOptions;
import io.weir.topic.TopicPlan;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {
  private static Map<String, Object> consumer(Map<String, String> environment) {
    return new StreamsConfig(settings(environment)).getMainConsumerConfigs("group", "client", 0);
  }

  private static Properties settings(Map<String, String> environment) {
    WeirConfig config =
        WeirConfig.of(new Properties(), environment, Map.of("bootstrap.servers", "nowhere:1"));
    return StreamsSettings.of(
        config,
        "weir",
        1 << 20,
        TopicPlan.changelog("changelog", TopicOptions.DEFAULT, Replication.NONE));
  }

  /** Weir's own default for one kind of client is no reason to leave it out. */
  @Test
  void settingThatWasPassedForAllClients_isForEachOfThem() {
    String session = "session.timeout.ms";
    assertThat(consumer(Map.of())).containsEntry(session, 15_000);
    assertThat(consumer(Map.of("KAFKA_SESSION_TIMEOUT_MS", "6000"))).containsEntry(session, "6000");
    assertThat(
            consumer(
                Map.of(
                    "KAFKA_SESSION_TIMEOUT_MS", "6000",
                    "KAFKA_CONSUMER_SESSION_TIMEOUT_MS", "7000")))
        .containsEntry(session, "7000");
    String timeout = "transaction.timeout.ms";
    assertThat(producer(Map.of())).containsEntry(timeout, 30_000);
    assertThat(producer(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "40000")))
        .containsEntry(timeout, "40000");
    String inFlight = "max.in.flight.requests.per.connection";
    assertThat(producer(Map.of("KAFKA_MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION", "5")))
        .containsEntry(inFlight, 1);
    assertThat(producer(Map.of("KAFKA_PRODUCER_MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION", "5")))
        .containsEntry(inFlight, "5");
  }

  @Test
  void transactionTimeout_isForStreamsToo_andIsLongerThanACommitInterval() {
    Properties longer = settings(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "40000"));
    StreamsSettings.allowTransactions(longer, 0);
    StreamsSettings.leaveCommitsTo(longer, 2_000);
    assertThat(new StreamsConfig(longer).getProducerConfigs("client"))
        .containsEntry("transaction.timeout.ms", 40_000);

    Properties shorter = settings(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "9000"));
    StreamsSettings.allowTransactions(shorter, 0);
    assertThatThrownBy(() -> StreamsSettings.leaveCommitsTo(shorter, 2_000))
        .isInstanceOf(StartRefusedException.class)
        .hasMessage(
            "kafka.transaction.timeout.ms 9000 is too short: expected: at least 12000, the commit"
                + " interval and 10000");
  }

  /** Not every client reads LZ4: KafkaJS has gzip alone. */
  @Test
  void theCodecOfTheOutputs_isASetting() {
    String codec = "compression.type";
    assertThat(producer(Map.of())).containsEntry(codec, "lz4");
    assertThat(producer(Map.of("WEIR_OUTPUT_COMPRESSION", "gzip"))).containsEntry(codec, "gzip");
    assertThat(producer(Map.of("KAFKA_COMPRESSION_TYPE", "gzip"))).containsEntry(codec, "gzip");
  }

  /** A fetch for each batch that is appended costs the brokers more than the batches. */
  @Test
  void fetchesOfReadings_waitForSomeBytes_unlessOthersArePassed() {
    assertThat(consumer(Map.of()))
        .containsEntry("fetch.min.bytes", 32 * 1024)
        .containsEntry("fetch.max.wait.ms", 25);
    assertThat(consumer(Map.of("KAFKA_FETCH_MIN_BYTES", "1")))
        .containsEntry("fetch.min.bytes", "1");
    assertThat(consumer(Map.of("KAFKA_MAIN_CONSUMER_FETCH_MAX_WAIT_MS", "100")))
        .containsEntry("fetch.max.wait.ms", "100");
  }

  private static Map<String, Object> producer(Map<String, String> environment) {
    return new StreamsConfig(settings(environment)).getProducerConfigs("client");
  }
}
