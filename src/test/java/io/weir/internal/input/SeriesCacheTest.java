package io.weir.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SeriesCacheTest {
  private static final int CONTEXT_BYTES = 4_000;

  private final SeriesCache cache = new SeriesCache(1 << 20);

  /** As those of two requests. */
  @Test
  void contextOfManySeries_isHeldAndCountedOnce() {
    for (int series = 0; series < 1_000; series++) {
      put(new SeriesSource(Client.LOCAL, new byte[CONTEXT_BYTES]), series);
    }
    assertThat(cache.bytes()).isBetween(1_000 * 200L, 1_000 * 250L + CONTEXT_BYTES);
    SeriesSource source = new SeriesSource(Client.LOCAL, new byte[CONTEXT_BYTES]);
    int known = 0;
    for (int series = 0; series < 1_000; series++) {
      Sensor sensor = cache.find(key(series), source);
      known += sensor != null && sensor.id().equals("s" + series) ? 1 : 0;
    }
    // Two may have one place.
    assertThat(known).isGreaterThan(950);
  }

  @Test
  void differentContexts_areAllCounted_andGivenBack() {
    for (int series = 0; series < 10_000; series++) {
      byte[] context = new byte[CONTEXT_BYTES];
      context[0] = (byte) series;
      context[1] = (byte) (series >> 8);
      put(new SeriesSource(Client.LOCAL, context), series);
      assertThat(cache.bytes()).isLessThanOrEqualTo(1 << 20);
      if (series == 200) {
        assertThat(cache.bytes()).isGreaterThan(200L * CONTEXT_BYTES);
      }
    }
    SeriesSource small = new SeriesSource(Client.LOCAL);
    for (int series = 0; series < 100_000; series++) {
      put(small, series);
    }
    long before = cache.bytes();
    put(new SeriesSource(Client.LOCAL, new byte[CONTEXT_BYTES]), -1);
    put(small, -2);
    assertThat(cache.bytes()).isBetween(before - 20_000, 1L << 20);
  }

  private void put(SeriesSource source, int series) {
    String id = "s" + series;
    cache.put(key(series), source, Sensor.of(id, id.getBytes(StandardCharsets.UTF_8), id));
  }

  private static SeriesKey key(int series) {
    SeriesKey key = new SeriesKey();
    key.add(series);
    return key;
  }
}
