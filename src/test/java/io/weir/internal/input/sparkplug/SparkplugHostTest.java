package io.weir.internal.input.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SparkplugHostTest {
  private static final long T = 1_700_000_000_000L;

  private final HostBench bench = new HostBench();

  private void born() {
    bench.send("g/NBIRTH/n", PayloadBuilder.of(T, 0).bdSeq(7).born("temp", 1, 20.5));
    bench.send("g/DBIRTH/n/d", PayloadBuilder.of(T + 1, 1).born("rpm", 2, 900));
  }

  @Test
  void birthsAndData_areReadings() {
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 2, 2).aliased(1, 21));
    bench.send("g/DDATA/n/d", PayloadBuilder.of(T + 3, 3).aliased(2, 901));
    assertThat(bench.sink.readings())
        .containsExactly(
            "g/n/temp@" + T + "=20.5",
            "g/n/d/rpm@" + (T + 1) + "=900.0",
            "g/n/temp@" + (T + 2) + "=21.0",
            "g/n/d/rpm@" + (T + 3) + "=901.0");
    assertThat(bench.asked).isEmpty();
    assertThat(bench.nodes("online")).isEqualTo(1);
    assertThat(bench.events).containsExactly("sparkplug.birth g/n  7", "sparkplug.birth g/n d 7");
  }

  @Test
  void gap_isCountedAfterTheTimeout_andAliasesAreNotUsedUntilTheBirth() {
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 2, 3).aliased(1, 1).named("temp", 2));
    assertThat(bench.sink.taken()).hasSize(2);
    bench.wait(Duration.ofSeconds(6));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 2) + "=2.0").hasSize(3);
    assertThat(bench.asked).containsExactly("g/n");
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 3, 4).aliased(1, 3).named("temp", 4));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 3) + "=4.0").hasSize(4);
    assertThat(bench.count(SparkplugMetrics.UNRESOLVED)).isEqualTo(2);
    assertThat(bench.count(SparkplugMetrics.GAPS)).isEqualTo(1);
    assertThat(bench.nodes("unsure")).isEqualTo(1);
    born();
    bench.send("g/NDATA/n", PayloadBuilder.of(T + 4, 2).aliased(1, 5));
    assertThat(bench.sink.readings()).endsWith("g/n/temp@" + (T + 4) + "=5.0");
    assertThat(bench.nodes("online")).isEqualTo(1);
  }
}
