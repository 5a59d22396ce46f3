package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.Batches.sensor;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.topology.ReadingProcessor.HotGateways;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is reported of whole minutes, compared with a plain count of what was sent. */
class HotTopologyTest {
  private static final long T = 1_700_000_040_000L;
  private static final long MINUTE_MS = 60_000;

  private final long seed = Long.getLong("weir.seed", new Random().nextLong());

  @Test
  void wholeMinutes_areReportedAsTheyWereSent() {
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    Map<Long, Map<String, Long>> sensors = new HashMap<>();
    Map<Long, Map<String, Long>> gateways = new HashMap<>();
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      long nowMs = T + random.nextInt(60_000);
      long sequence = 0;
      while (nowMs < T + 6 * MINUTE_MS) {
        String gateway = "gateway-" + (int) Math.sqrt(random.nextInt(900));
        Reading[] readings = new Reading[random.nextInt(8)];
        for (int i = 0; i < readings.length; i++) {
          String id = sensor((int) Math.sqrt(random.nextInt(2_500)));
          readings[i] = reading(id, nowMs, 1);
          sensors
              .computeIfAbsent(nowMs / MINUTE_MS, minute -> new HashMap<>())
              .merge(id, 1L, Long::sum);
        }
        ReadingBatch batch =
            random.nextBoolean()
                ? Batches.sequenced(gateway, 1L << 20, ++sequence, readings)
                : batch(readings).toBuilder().setGatewayId(gateway).build();
        gateways
            .computeIfAbsent(nowMs / MINUTE_MS, minute -> new HashMap<>())
            .merge(gateway, (long) readings.length, Long::sum);
        weir.send(nowMs, batch);
        nowMs += random.nextInt(400);
      }

      List<HotMinute> reported = weir.counts().hot;
      assertThat(reported).hasSize(4);
      for (HotMinute minute : reported) {
        long number = minute.endMs() / MINUTE_MS - 1;
        assertTop(minute.sensors(), minute.readings(), sensors.get(number));
        assertTop(minute.gateways(), minute.gatewayReadings(), gateways.get(number));
      }
    }
  }

  private static void assertTop(List<HeavyHitter> reported, long total, Map<String, Long> sent) {
    assertThat(total).isEqualTo(sent.values().stream().mapToLong(n -> n).sum());
    assertThat(reported).allSatisfy(h -> assertThat(h.readings()).isEqualTo(sent.get(h.id())));
    assertThat(reported.stream().map(HeavyHitter::readings))
        .containsExactlyElementsOf(
            sent.values().stream().sorted((a, b) -> Long.compare(b, a)).limit(20).toList());
  }

  /** A thousand of them would be a gigabyte; they count as what they are, the rest. */
  @Test
  void gatewayIdsThatAreTooLong_areNotKept() {
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      weir.tick(T - 1);
      for (int gateway = 0; gateway < 8; gateway++) {
        weir.send(
            T,
            batch(reading(sensor(0), T, 1)).toBuilder()
                .setGatewayId(gateway + "g".repeat(900_000))
                .build());
      }
      weir.tick(T + 30_000);
      weir.tick(T + MINUTE_MS);

      HotMinute minute = weir.counts().hot.get(0);
      assertThat(minute.gateways()).containsExactly(new HeavyHitter(HotGateways.REST, 8));
    }
  }

  @Test
  void refusedAndRepeatedReadings_weighForTheirGateway_lateOnesForTheirSensorToo() {
    String id = sensor(0);
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      weir.tick(T - 1);
      ReadingBatch first = Batches.sequenced("g", 1L << 20, 1, reading(id, T, 1));
      weir.send(T, first);
      weir.send(T + 1, first);
      weir.send(T + 2, Batches.sequenced("g", 1L << 20, 2, reading(id, T + 30_000, 1)));
      weir.send(T + 3, Batches.sequenced("g", 1L << 20, 3, reading(id, T, 1)));
      weir.send(T + 4, Batches.sequenced("g", 1L << 20, 4, reading(id, T, Double.NaN)));
      weir.tick(T + 30_000);
      weir.tick(T + MINUTE_MS);

      assertThat(weir.counts().late).isEqualTo(1);
      assertThat(weir.counts().hot)
          .containsExactly(
              new HotMinute(
                  0,
                  T + MINUTE_MS,
                  3,
                  List.of(new HeavyHitter(id, 3)),
                  5,
                  List.of(new HeavyHitter("g", 5))));
    }
  }

  @Test
  void minuteOfARestart_isNotWhole_andLeftOut() {
    try (WeirDriver weir = new WeirDriver(WeirDriver.SPEC)) {
      weir.tick(T - 1);
      weir.send(T, batch(reading(sensor(0), T, 1)));
      weir.restart();
      weir.send(T + 1, batch(reading(sensor(0), T, 1)));
      weir.tick(T + 30_000);
      weir.tick(T + MINUTE_MS);
      assertThat(weir.counts().hot).isEmpty();

      weir.send(T + MINUTE_MS + 1, batch(reading(sensor(1), T, 1)));
      weir.tick(T + MINUTE_MS + 30_000);
      weir.tick(T + 2 * MINUTE_MS);
      assertThat(weir.counts().hot).hasSize(1);
      assertThat(weir.counts().hot.get(0).share()).isEqualTo(1);
    }
  }
}
