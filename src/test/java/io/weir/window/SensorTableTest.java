package io.weir.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SensorTableTest {
  private static final List<String> IDS =
      IntStream.range(0, 500).mapToObj(i -> "sensor-" + i).toList();

  @Test
  void anyHistory_agreesWithAHashMap() {
    Seeds.forEach(150, random -> history(random, false));
  }

  @Test
  void idsOfOneHash_agreeWithAHashMap() {
    Seeds.forEach(60, random -> history(random, true));
  }

  private static void history(Random random, boolean oneHash) {
    SensorTable table = new SensorTable();
    Map<String, SensorWindows> model = new HashMap<>();
    int range = oneHash ? 40 : 1 + random.nextInt(IDS.size());
    for (int step = 0; step < 1500; step++) {
      String id = IDS.get(random.nextInt(range));
      byte[] bytes = ("<" + id + ">").getBytes(StandardCharsets.UTF_8);
      int hash = oneHash ? 7 : IdBytes.hash(bytes, 1, bytes.length - 2);
      assertThat(table.find(bytes, 1, bytes.length - 2, hash)).isSameAs(model.get(id));
      if (random.nextInt(5) < 2 && model.containsKey(id)) {
        SensorWindows gone = model.remove(id);
        assertThat(table.remove(gone)).isTrue();
        assertThat(table.remove(gone)).isFalse();
      } else {
        SensorWindows sensor = table.findOrAdd(bytes, 1, bytes.length - 2, hash);
        SensorWindows before = model.putIfAbsent(id, sensor);
        assertThat(before == null || before == sensor).isTrue();
        assertThat(sensor.name()).isEqualTo(id);
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
    Set<SensorWindows> visited = new HashSet<>();
    table.forEach(sensor -> assertThat(visited.add(sensor)).isTrue());
    assertThat(visited).isEqualTo(new HashSet<>(model.values()));
    table.clear();
    assertThat(table.size()).isZero();
  }

  /** Hashes that differ in their highest bits alone stood in one slot, and in a row behind it. */
  @Test
  void hashesOfOnePlace_getOthers() {
    SensorTable table = new SensorTable();
    for (int i = 0; i < 1 << 14; i++) {
      byte[] id = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      table.findOrAdd(id, 0, id.length, Integer.reverse(i));
    }
    assertThat(table.longestProbe()).isLessThanOrEqualTo(SensorTable.MOST_PROBES);
  }

  /** 60,000 ids that had one hash before it had a key: each was held against all others. */
  @Test
  void idsThatCollideWithoutAKey_areSpreadLikeChance() {
    SensorTable table = new SensorTable();
    Random random = new Random(1);
    for (int i = 0; i < 60_000; i++) {
      byte[] id = UnkeyedHash.colliding(random.nextLong());
      assertThat(UnkeyedHash.hash(id)).isEqualTo(UnkeyedHash.hash(UnkeyedHash.colliding(0)));
      table.findOrAdd(id, 0, id.length, IdBytes.hash(id, 0, id.length));
    }
    assertThat(table.size()).isEqualTo(60_000);
    assertThat(table.longestProbe()).isLessThanOrEqualTo(SensorTable.MOST_PROBES);
  }
}
