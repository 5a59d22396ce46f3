package io.weir.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.v1.Event;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** Records with headers and a partition of the handler's choice. */
class EmitTest {
  private static final StringDeserializer TEXT = new StringDeserializer();

  private static ProducerRecord<String, String> record(Integer partition, Long ms, String header) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(header, "v".getBytes(StandardCharsets.UTF_8));
    return new ProducerRecord<>("out", partition, ms, "k", "v", headers);
  }

  @Test
  void headersAndPartition_areThoseOfTheHandler_andWrongOnesFailTheCall() {
    Map<String, ProducerRecord<String, String>> records =
        Map.of(
            "chosen", record(7, null, "trace"),
            "by key", record(null, null, "trace"),
            "time", record(null, 5L, "trace"),
            "forged", record(null, null, "weir.redrive.topic"));
    KeyedApplication.Builder application =
        KeyedApplication.builder(
                "emits",
                () ->
                    new HandlerFixture.EventOnly(
                        (key, event) -> {
                          key.emit(records.get(event.getType()));
                          return Outcome.CONTINUE;
                        }))
            .retry(1)
            .output("out", new StringSerializer(), new StringSerializer());
    try (KeyedTestDriver driver = KeyedTestDriver.of(application, Instant.EPOCH)) {
      for (String type : List.of("chosen", "by key", "time", "forged")) {
        driver.send(Event.newBuilder().setKey("a").setType(type).setTimestampMs(1).build());
      }
      List<ProducerRecord<String, String>> emitted = driver.emitted("out", TEXT, TEXT);
      assertThat(emitted).extracting(ProducerRecord::partition).containsExactly(7, null);
      assertThat(emitted)
          .allSatisfy(
              record ->
                  assertThat(record.headers().lastHeader("trace").value()).containsExactly('v'));
      assertThat(driver.deadLetters())
          .extracting(KeyedTestDriver.DeadLetter::message)
          .satisfiesExactly(
              message -> assertThat(message).contains("timestamp"),
              message -> assertThat(message).contains("weir.redrive.topic"));
    }
  }

  @Test
  void partitionThatTheTopicDoesNotHave_failsTheCall() {
    Outputs outputs =
        Outputs.none("state")
            .with("out", new StringSerializer(), new StringSerializer())
            .limited(topic -> new io.weir.topic.RecordLimits(1_000, false, 1_000), topic -> 3);
    assertThat(outputs.of("out").serialize(record(2, null, "h")).partition()).isEqualTo(2);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> outputs.of("out").serialize(record(3, null, "h")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition 3 of out, which has 3");
  }
}
