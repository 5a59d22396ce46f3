package io.weir.lab.oracle;

import io.weir.internal.window.WindowSpec;
import io.weir.v1.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** The rollups and hopping windows of a partition, each size for itself. One thread. */
final class NaiveSpanSet {
  private final SortedMap<Long, NaiveRollups> rollups = new TreeMap<>();

  /** Null where there are none. */
  private final NaiveHops hops;

  /** Rollups and hopping windows. */
  private final List<NaiveSpans> all = new ArrayList<>();

  NaiveSpanSet(
      Supplier<WindowSpec> spec,
      NaiveSpans.Amendable amendable,
      LongFunction<Emissions> ofRollups,
      Emissions ofHops,
      NaiveCuts cuts) {
    for (long sizeMs : spec.get().rollups().sizesMs()) {
      rollups.put(sizeMs, new NaiveRollups(spec, sizeMs, amendable, ofRollups.apply(sizeMs), cuts));
    }
    all.addAll(rollups.values());
    boolean hopping = spec.get().hopping().isOn();
    hops = hopping ? new NaiveHops(spec, amendable, ofHops, cuts) : null;
    if (hopping) {
      all.add(hops);
    }
  }

  void take(List<Reading> taken, Map<String, Long> attested, long logMs) {
    all.forEach(size -> size.take(taken, attested, logMs));
  }

  void active(Set<String> sensorIds, long logMs) {
    all.forEach(size -> size.active(sensorIds, logMs));
  }

  void emitIdle(long appendMs, long logMs) {
    all.forEach(size -> size.emitIdle(appendMs, logMs));
  }

  void forget(String sensorId, long lastEndMs) {
    all.forEach(size -> size.forget(sensorId, lastEndMs));
  }

  void purge(String sensorId) {
    all.forEach(size -> size.purge(sensorId));
  }

  SortedMap<Long, NaiveWindows> rollups() {
    SortedMap<Long, NaiveWindows> bySize = new TreeMap<>();
    rollups.forEach((sizeMs, size) -> bySize.put(sizeMs, size.contents()));
    return bySize;
  }

  SortedMap<NaiveWindows.Key, NaiveWindows.Window> hops() {
    return hops == null ? new TreeMap<>() : hops.latest();
  }
}
