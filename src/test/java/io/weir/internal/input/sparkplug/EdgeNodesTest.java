package io.weir.internal.input.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An edge node that restarts, reuses aliases, and whose messages are lost, repeated and out of
 * order. Each value says which metric it belongs to.
 */
class EdgeNodesTest {
  private static final long T = 1_700_000_000_000L;
  private static final int METRICS = 6;
  private static final int STEPS = 1_500;

  private final HostBench bench = new HostBench();
  private final List<Integer> aliases = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
  private Random random;
  private long now = T;
  private int sequence;
  private int bdSeq;
  private int inOrder;
  private int sent;

  /**
   * Messages between two losses, and between two births, are more than what is lost: a loss of 256
   * messages, or of a birth just behind a birth, is not to be seen.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noAliasIsUsedForAnotherMetric_andNothingDisappearsUncounted(long seed) {
    random = new Random(seed);
    birth(false);
    int asked = 0;
    for (int step = 0; step < STEPS; step++) {
      boolean steady = inOrder > 4;
      int what = random.nextInt(100);
      if (bench.asked.size() > asked) {
        asked = bench.asked.size();
        birth(false);
      } else if (steady && what < 2) {
        birth(random.nextInt(3) == 0);
      } else if (steady && what < 4) {
        data(true);
      } else if (steady && what < 8) {
        byte[] first = payload();
        byte[] second = payload();
        send(second);
        send(first);
      } else if (what < 12) {
        byte[] twice = payload();
        send(twice);
        bench.send("g/NDATA/n", twice);
      } else {
        data(false);
      }
      bench.wait(Duration.ofMillis(random.nextInt(3) == 0 ? 6_000 : 100));
    }
    for (String reading : bench.sink.readings()) {
      double value = Double.parseDouble(reading.substring(reading.indexOf('=') + 1));
      assertThat(reading).startsWith("g/n/m" + (int) value % METRICS + "@");
    }
    bench.wait(Duration.ofMinutes(1));
    assertThat(bench.sink.taken().size() + bench.count(SparkplugMetrics.UNRESOLVED))
        .as("seed %d", seed)
        .isEqualTo(sent);
    assertThat(bench.sink.taken()).hasSizeGreaterThan(STEPS / 4);
  }

  private void birth(boolean lost) {
    Collections.shuffle(aliases, random);
    sequence = 0;
    bdSeq++;
    PayloadBuilder payload = PayloadBuilder.of(now++, next()).bdSeq(bdSeq);
    for (int metric = 0; metric < METRICS; metric++) {
      payload.born("m" + metric, aliases.get(metric), value(metric));
    }
    inOrder = 0;
    if (!lost) {
      sent += METRICS;
      bench.send("g/NBIRTH/n", payload);
    }
  }

  private int next() {
    return sequence++ % 256;
  }

  private double value(int metric) {
    return metric + METRICS * (double) random.nextInt(1_000);
  }

  private byte[] payload() {
    int metric = random.nextInt(METRICS);
    PayloadBuilder payload = PayloadBuilder.of(now++, next());
    return (random.nextInt(4) == 0
            ? payload.named("m" + metric, value(metric))
            : payload.aliased(aliases.get(metric), value(metric)))
        .build();
  }

  private void data(boolean lost) {
    byte[] payload = payload();
    if (lost) {
      inOrder = 0;
    } else {
      send(payload);
    }
  }

  private void send(byte[] payload) {
    inOrder++;
    sent++;
    bench.send("g/NDATA/n", payload);
  }
}
