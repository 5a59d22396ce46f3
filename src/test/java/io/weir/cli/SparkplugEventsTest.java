package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.edge.EventPublisher;
import io.weir.internal.input.sparkplug.NodeEvent;
import io.weir.v1.Event;
import org.junit.jupiter.api.Test;

class SparkplugEventsTest {
  @Test
  void birth_isAnEventOfItsEdgeNode() {
    Event event =
        SparkplugEvents.event(
            new NodeEvent("sparkplug.birth", "g/n", "d", 7, "DBIRTH", 1_700_000_000_000L));
    assertThat(EventPublisher.refusal(event)).isEmpty();
    assertThat(event.getKey()).isEqualTo("g/n");
    assertThat(event.getSubject()).isEqualTo("d");
    assertThat(event.getFieldsMap().get("bdSeq").getInt64Value()).isEqualTo(7);
    assertThat(event.getFieldsMap().get("cause").getStringValue()).isEqualTo("DBIRTH");
  }
}
