package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.sequenced;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.LoggedLines;
import io.weir.internal.wire.ResetMark;
import io.weir.reading.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What a reset of a gateway clears, and which marks of a reset are refused. */
class ResetMarkMeaningTest extends RejectionFixture {
  @Test
  void gatewayThatWasFencedForEver_goesOnAfterItsReset() {
    Orders orders = new Orders();
    orders.reset("another");
    useOrders(orders);
    for (long boot = 11; boot <= 15; boot++) {
      weir.send(T, sequenced("g", boot, 1, GOOD));
    }
    weir.send(T, sequenced("g", 7, 1, GOOD));
    assertThat(refusedWhole(RejectReason.FENCED)).isNotNull();

    weir.reset(T, orders.mark(orders.reset("g")));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    assertThat(weir.deadLetters()).isEmpty();
    assertThat(weir.counts().aggregated).isEqualTo(6);
    assertThat(weir.counts().gatewayResets).isEqualTo(1);
    assertThat(weir.changelogEntries('G')).isEqualTo(1);
  }

  /** Whoever copies a mark would make batches count twice. */
  @Test
  void copyOfAMark_resetsNothing_beforeAndAfterARestart() {
    Orders orders = new Orders();
    useOrders(orders);
    int order = orders.reset("g");
    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.restart();
    weir.reset(T, orders.mark(order));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    assertThat(weir.counts().duplicate).isEqualTo(2);
    assertThat(weir.counts().gatewayResets).isEqualTo(1);
    assertThat(weir.deadLetters()).isEmpty();
  }

  @Test
  void copiesOfAMark_areAFewLinesAMinute() {
    Orders orders = new Orders();
    useOrders(orders);
    int order = orders.reset("g");
    weir.reset(T, orders.mark(order));
    try (LoggedLines lines = new LoggedLines(ReadingProcessor.class.getName())) {
      for (int i = 0; i < 1_000; i++) {
        weir.reset(T, orders.mark(order));
      }
      assertThat(lines.warnings()).hasSizeBetween(10, 100);
      assertThat(lines.warnings().get(0)).contains("to reset gateway g is skipped");
    }
  }

  /** Two operators reset two gateways at one time: the marks need not lie as their orders do. */
  @Test
  void olderOrderForAnotherGateway_isCarriedOut_alsoAfterARestart() {
    Orders orders = new Orders();
    useOrders(orders);
    for (String gateway : List.of("a", "b", "c")) {
      weir.send(T, sequenced(gateway, 7, 1, GOOD));
    }
    int a = orders.reset("a");
    int b = orders.reset("b");
    int c = orders.reset("c");
    weir.reset(T, orders.mark(c));
    weir.reset(T, orders.mark(b));
    weir.restart();
    weir.reset(T, orders.mark(a));

    for (String gateway : List.of("a", "b", "c")) {
      weir.send(T, sequenced(gateway, 7, 1, GOOD));
    }
    assertThat(weir.counts().gatewayResets).isEqualTo(3);
    assertThat(weir.counts().aggregated).isEqualTo(6);
  }

  /** It was cleared later than that already, and a copy of the mark could count batches twice. */
  @Test
  void olderOrderForTheSameGateway_changesNothing() {
    Orders orders = new Orders();
    useOrders(orders);
    int first = orders.reset("g");
    weir.reset(T, orders.mark(orders.reset("g")));
    weir.send(T, sequenced("g", 7, 1, GOOD));
    weir.restart();
    weir.reset(T, orders.mark(first));
    weir.send(T, sequenced("g", 7, 1, GOOD));

    assertThat(weir.counts().duplicate).isEqualTo(1);
    assertThat(weir.counts().gatewayResets).isEqualTo(1);
  }

  @Test
  void resetThatNobodyOrdered_isADeadLetter_andClearsNothing() {
    Orders orders = new Orders();
    useOrders(orders);
    orders.reset("g");
    weir.send(T, sequenced("g", 7, 1, GOOD));

    weir.reset(T, new ResetMark(0, 1, 2));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET).header(ResetMark.HEADER)).isNull();
    weir.reset(T, new ResetMark(Long.MAX_VALUE, 0, 0));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET)).isNotNull();
    weir.send(
        T,
        null,
        new byte[0],
        new RecordHeaders().add(ResetMark.HEADER, "short".getBytes(StandardCharsets.UTF_8)));
    assertThat(refusedWhole(RejectReason.UNKNOWN_RESET)).isNotNull();

    weir.send(T, sequenced("g", 7, 1, GOOD));
    assertThat(weir.counts().duplicate).isEqualTo(1);
    assertThat(weir.counts().gatewayResets).isZero();
  }

  private void useOrders(Orders orders) {
    weir.close();
    weir = new WeirDriver(WeirDriver.settings(WeirDriver.SPEC, 1 << 20), orders);
  }
}
