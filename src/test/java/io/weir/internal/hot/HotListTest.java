package io.weir.internal.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HotListTest {
  private static final class Thing extends CountedByMinute {
    private final String id;

    Thing(String id) {
      this.id = id;
    }

    @Override
    public String name() {
      return id;
    }
  }

  private static List<HeavyHitter> take(HotList<Thing> list) {
    assertThat(list.look(Integer.MAX_VALUE)).isTrue();
    return list.take();
  }

  @Test
  void slices_ofAnySize_giveWhatSortingGives() {
    long seed = Long.getLong("weir.seed", new Random().nextLong());
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    HotList<Thing> list = new HotList<>();
    List<Thing> things = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      things.add(new Thing("thing-" + i));
    }
    long[] counts = new long[things.size()];
    list.observe(0);
    for (int minute = 1; minute < 200; minute++) {
      boolean whole = list.observe(minute * 60_000L);
      assertThat(whole).isEqualTo(minute > 1);
      List<HeavyHitter> sorted = new ArrayList<>();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0) {
          sorted.add(new HeavyHitter("thing-" + i, counts[i]));
        }
      }
      sorted.sort(Comparator.comparingLong(HeavyHitter::readings).reversed());
      counts = new long[things.size()];
      int adds = random.nextInt(2_000);
      boolean over = !whole;
      for (int i = 0; i < adds; i++) {
        int n = random.nextInt(1 + random.nextInt(things.size()));
        long readings = 1 + random.nextInt(100);
        list.add(things.get(n), readings);
        counts[n] += readings;
        over |= !over && random.nextInt(10) == 0 && list.look(1 + random.nextInt(40));
      }
      if (whole) {
        List<HeavyHitter> top = take(list);
        assertThat(top).isSubsetOf(sorted);
        assertThat(top.stream().map(HeavyHitter::readings))
            .containsExactlyElementsOf(
                sorted.stream().limit(HotList.LENGTH).map(HeavyHitter::readings).toList());
        assertThat(list.total()).isEqualTo(sorted.stream().mapToLong(HeavyHitter::readings).sum());
      }
    }
  }

  @Test
  void minutesInWhichNothingCame_areEmpty() {
    HotList<Thing> list = new HotList<>();
    Thing thing = new Thing("a");
    list.observe(0);
    list.observe(60_000);
    list.add(thing, 5);
    assertThat(list.observe(120_000)).isTrue();
    assertThat(take(list)).containsExactly(new HeavyHitter("a", 5));
    list.add(thing, 7);
    assertThat(list.observe(600_000)).isTrue();
    assertThat(take(list)).isEmpty();
    assertThat(list.total()).isZero();
  }

  @Test
  void equalCounts_areOrderedById() {
    HotList<Thing> list = new HotList<>();
    list.observe(0);
    list.observe(60_000);
    list.add(new Thing("b"), 5);
    list.add(new Thing("a"), 5);
    list.observe(120_000);
    assertThat(take(list)).extracting(HeavyHitter::id).containsExactly("a", "b");
  }
}
