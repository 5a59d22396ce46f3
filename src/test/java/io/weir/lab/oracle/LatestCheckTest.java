package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.summary.WindowKeyEncoder;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import io.weir.v1.WindowSummary;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class LatestCheckTest {
  private final LatestCheck check = new LatestCheck(TopicNames.ALL);
  private long offset;

  @Test
  void lastOfEachWindow_isRight() throws Exception {
    take(Topic.WINDOWS, 0, 1);
    take(Topic.LATEST, 0, 1);
    take(Topic.WINDOWS, 0, 2);
    take(Topic.LATEST, 0, 2);
    take(Topic.LATEST_ROLLUPS, 10, 1);
    take(Topic.ROLLUPS, 10, 1);

    assertThat(findings().areNone()).isTrue();
  }

  @Test
  void olderRecord_orNone_isFound() throws Exception {
    take(Topic.WINDOWS, 0, 1);
    take(Topic.LATEST, 0, 1);
    take(Topic.WINDOWS, 0, 2);
    take(Topic.HOPPING, 10, 1);

    assertThat(findings().lines())
        .containsExactlyInAnyOrder(
            "wrong record: latest windows, not the last: a 0",
            "wrong record: latest hopping, not the last: a 10");
  }

  @Test
  void windowThatWasNeverEmitted_isFound() throws Exception {
    take(Topic.LATEST, 0, 1);

    assertThat(findings().lines()).containsExactly("wrong record: latest windows, no window: a 0");
  }

  private void take(Topic topic, long startMs, long count) throws Exception {
    byte[] sensor = "a".getBytes(StandardCharsets.UTF_8);
    byte[] key =
        topic.latestOf().isPresent()
            ? WindowKeyEncoder.encode(sensor, startMs, startMs + 10)
            : sensor;
    WindowSummary window =
        WindowSummary.newBuilder()
            .setSensorId("a")
            .setWindowStartMs(startMs)
            .setWindowEndMs(startMs + 10)
            .setCount(count)
            .build();
    check.take(new ConsumerRecord<>(topic.defaultName(), 0, offset++, key, window.toByteArray()));
  }

  private Findings findings() {
    Findings findings = new Findings();
    check.report(findings);
    return findings;
  }
}
