package io.weir.lab.check;

import static io.weir.lab.check.GatewayRecords.BOOT;
import static io.weir.lab.check.GatewayRecords.batch;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckTableTest {
  private final GatewayRecords records = new GatewayRecords();

  @Test
  void table_hasALineForEachRule_andTheVerdictLast() {
    records.sent(batch(BOOT, 1)).sent(3, batch(BOOT, 1));

    assertThat(CheckTable.of(records.check()))
        .hasSize(Rule.values().length + 3)
        .contains(
            "value: a ReadingBatch, bare or framed    ok                  2",
            "partition: FNV-1a of each sensor_id      FAILED              2           1  "
                + "partition 3, offset 0: sensor \"temp-0091\" belongs to partition 12",
            "resend: the same bytes                   not seen")
        .endsWith("FAILED: 1 rule failed in 2 records; 6 rules not seen");
  }

  @Test
  void verdict_withoutARecord_isFailed() {
    assertThat(CheckTable.of(records.check())).endsWith("FAILED: no record came");
  }

  @Test
  void verdict_ofAGoodRecord_isOk() {
    records.sent(batch(BOOT, 1));
    assertThat(CheckTable.of(records.check()))
        .endsWith("ok: no rule failed in 1 record; 6 rules not seen");
  }
}
