package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class DeadLettersCheckTest {
  private final DeadLetters letters = new DeadLetters();

  /** Poison on the topic of events says nothing about the gateways of readings. */
  @Test
  void lettersOfTwoTopics_areTwoFindings_eachWithItsTopic() {
    letter("weir.events", "UNDECODABLE", "");
    letter("weir.events", "UNDECODABLE", "");
    letter("weir.readings", "UNDECODABLE", "");

    assertThat(findings()).hasSize(2);
    assertThat(findings().get(0).what())
        .isEqualTo(
            "2 dead letters UNDECODABLE of weir.events in the last hour, by gateway: (unknown) 2");
    assertThat(findings().get(0).why())
        .isEqualTo("a producer writes records to weir.events that are not batches");
    assertThat(findings().get(0).remedy()).endsWith("users that do not publish events");
    assertThat(findings().get(1).what()).startsWith("1 dead letters UNDECODABLE of weir.readings");
    assertThat(findings().get(1).why()).contains("weir.readings");
  }

  @Test
  void refusedEvents_areNoReadingsThatWindowsLack() {
    letter("weir.scheduled", "LATE_TIMER", "erp");
    letter("weir.readings", "MISROUTED", "line-7");

    assertThat(findings())
        .extracting(Finding::why)
        .containsExactly(
            "no handler, fold or alarm has seen these events", "no window contains these readings");
  }

  private List<Finding> findings() {
    return new DeadLettersCheck(() -> 0).findings(letters, "weir.readings");
  }

  private void letter(String topic, String reason, String gateway) {
    Headers headers = DeadLetterHeaders.of(new Origin(topic, 0, 0));
    DeadLetterHeaders.add(headers, DeadLetterHeaders.REASON, reason);
    if (!gateway.isEmpty()) {
      DeadLetterHeaders.add(headers, DeadLetterHeaders.GATEWAY, gateway);
    }
    letters.add(
        new ConsumerRecord<>(
            "weir.dead-letters",
            0,
            0,
            0,
            TimestampType.LOG_APPEND_TIME,
            0,
            0,
            null,
            null,
            headers,
            Optional.empty()));
  }
}
