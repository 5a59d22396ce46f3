package io.weir.lab.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.alarm.Rules;
import io.weir.internal.alarm.StatusPlan;
import io.weir.v1.SensorState;
import io.weir.v1.SensorStatus;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class StatusCheckTest {
  private static final StatusPlan PLAN =
      new StatusPlan(true, 5_000, Rules.NONE, 2_000, GroupTemplate.DEFAULT);

  private final StatusCheck check = new StatusCheck();

  /** A sensor that sends at 1000, and is silent at 6000. */
  StatusCheckTest() {
    NaiveStatus naive = check.oracle(PLAN);
    naive.begin(1_000, 0);
    naive.received("a", "line-7", 990);
    naive.pass();
    naive.end();
    naive.begin(6_000, 5_000);
    naive.pass();
    naive.end();
  }

  @Test
  void allThatWasDue_isRight() throws Exception {
    take(SensorState.SENSOR_STATE_STARTED, 1_000);
    take(SensorState.SENSOR_STATE_SILENT, 6_000);

    assertThat(findings().areNone()).isTrue();
    assertThat(check.found()).isEqualTo(2);
  }

  @Test
  void oneThatIsMissing_isFound() throws Exception {
    take(SensorState.SENSOR_STATE_STARTED, 1_000);

    assertThat(findings().lines()).singleElement().asString().contains("missing", "SILENT");
  }

  @Test
  void oneThatComesTwice_isFound() throws Exception {
    allThatWasDue_isRight();
    take(SensorState.SENSOR_STATE_SILENT, 6_000);

    assertThat(findings().lines()).singleElement().asString().contains("came again", "SILENT");
  }

  @Test
  void oneOfAnotherTime_isFound() throws Exception {
    take(SensorState.SENSOR_STATE_STARTED, 1_000);
    take(SensorState.SENSOR_STATE_SILENT, 6_001);

    assertThat(findings().wrongRecords()).isEqualTo(2);
  }

  @Test
  void tombstoneOfASensorThatIsKnown_isFound() throws Exception {
    allThatWasDue_isRight();
    check.take(record(null));

    assertThat(findings().lines()).singleElement().asString().endsWith("again: a");
  }

  private Findings findings() {
    Findings findings = new Findings();
    check.report(findings);
    return findings;
  }

  private void take(SensorState state, long sinceMs) throws Exception {
    check.take(
        record(
            SensorStatus.newBuilder()
                .setSensorId("a")
                .setState(state)
                .setSinceMs(sinceMs)
                .setLastTimestampMs(990)
                .setGatewayId("line-7")
                .build()
                .toByteArray()));
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] value) {
    return new ConsumerRecord<>("weir.status", 0, 0, "a".getBytes(StandardCharsets.UTF_8), value);
  }
}
