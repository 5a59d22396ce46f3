package io.weir.internal.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Seeds;
import io.weir.reading.IdBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
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

  /** Orders that repeat, change, and name sensors that are gone or came again. */
  @Test
  void sensorsBehindEachOther_agreeWithAHashMap() {
    Seeds.forEach(150, SensorTableTest::orders);
  }

  private static void orders(Random random) {
    SensorTable table = new SensorTable();
    Map<String, SensorWindows> model = new HashMap<>();
    List<String> order = new ArrayList<>(IDS.subList(0, 1 + random.nextInt(IDS.size())));
    for (int batch = 0; batch < 40; batch++) {
      if (random.nextInt(4) == 0) {
        Collections.shuffle(order, random);
      }
      if (random.nextInt(4) == 0) {
        order.add(random.nextInt(order.size()), order.get(random.nextInt(order.size())));
      }
      if (random.nextInt(30) == 0) {
        table.clear();
        model.clear();
      }
      SensorWindows before = null;
      for (String id : order) {
        byte[] bytes = ("<" + id + ">").getBytes(StandardCharsets.UTF_8);
        int length = bytes.length - 2;
        SensorWindows found = table.findAfter(before, bytes, 1, length);
        assertThat(found).isSameAs(model.get(id));
        before = found == null ? before : found;
        if (found == null && random.nextInt(3) > 0) {
          model.put(id, table.findOrAdd(bytes, 1, length, IdBytes.hash(bytes, 1, length)));
        }
      }
      model.values().removeIf(sensor -> random.nextInt(10) == 0 && table.remove(sensor));
      assertThat(table.size()).isEqualTo(model.size());
    }
  }

  @Test
  void aRemovedSensor_isNotFoundBehindAnother_norTheOneThatCameInItsPlace() {
    SensorTable table = new SensorTable();
    SensorWindows first = add(table, "first");
    SensorWindows second = add(table, "second");
    assertThat(after(table, first, "second")).isSameAs(second);
    table.remove(second);
    assertThat(after(table, first, "second")).isNull();
    SensorWindows again = add(table, "second");
    assertThat(again).isNotSameAs(second);
    assertThat(after(table, first, "second")).isSameAs(again);
    assertThat(after(table, again, "second")).isSameAs(again);
    assertThat(after(table, again, "first")).isSameAs(first);
  }

  private static SensorWindows add(SensorTable table, String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return table.findOrAdd(bytes, 0, bytes.length, IdBytes.hash(bytes, 0, bytes.length));
  }

  private static SensorWindows after(SensorTable table, SensorWindows before, String id) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return table.findAfter(before, bytes, 0, bytes.length);
  }

  /** Hashes that differ in their highest bits alone were in one slot, and in a row behind it. */
  @Test
  void hashesOfOnePlace_getOthers() {
    SensorTable table = new SensorTable();
    for (int i = 0; i < 1 << 14; i++) {
      byte[] id = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
      table.findOrAdd(id, 0, id.length, Integer.reverse(i));
    }
    assertThat(table.longestProbe()).isLessThanOrEqualTo(SensorTable.MOST_PROBES);
  }

  /** 60,000 ids that had one hash before it had a key: each was compared with all others. */
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
