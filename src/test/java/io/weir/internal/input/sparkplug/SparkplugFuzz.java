package io.weir.internal.input.sparkplug;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any bytes as a birth, as data and as a death: refused whole, or read; what is kept for the edge
 * node stays within its bound and is freed with it.
 */
public final class SparkplugFuzz {
  private static final int MEMORY = 20_000;

  private SparkplugFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    HostBench bench = new HostBench(true, MEMORY);
    for (String topic :
        new String[] {
          "g/NBIRTH/n", "g/DBIRTH/n/d", "g/NDATA/n", "g/DDATA/n/d", "g/DDEATH/n/d", "g/NDEATH/n"
        }) {
      bench.send(topic, bytes);
      assertThat(bench.memory.taken()).isBetween(0L, (long) MEMORY);
    }
    bench.host.reconnected();
    bench.send("g/NBIRTH/n", PayloadBuilder.of(1, 0));
    assertThat(bench.memory.taken()).isLessThan(2_000);
  }
}
