package io.weir.lab.hostile;

import io.weir.lab.hostile.HostileRow.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** The rows: each part at each of its limits alone, then each pair of them. Stateless. */
public final class HostileTable {
  private static final int DRAWS = 60;

  /** A part at a level. */
  private record Level(int part, int level) {}

  /** Two parts at levels; the first part is the lower. */
  private record Pair(Level first, Level second) {}

  private HostileTable() {}

  /**
   * All rows, the same for the same seed. Pairs are in as few rows as a search finds; those within
   * a message are once more in rows in which nothing around it is unusual, as a record that is
   * refused for its headers says nothing about its message.
   */
  public static List<HostileRow> rows(Target target, long seed) {
    List<HostilePart> parts = HostilePart.of(target);
    Random random = new Random(seed);
    List<HostileRow> rows = new ArrayList<>();
    for (int part = 0; part < parts.size(); part++) {
      for (int level = 1; level < parts.get(part).levels().size(); level++) {
        int[] alone = new int[parts.size()];
        alone[part] = level;
        rows.add(new HostileRow(target, alone));
      }
    }
    int[] all = IntStream.range(0, parts.size()).toArray();
    int[] within = IntStream.of(all).filter(part -> !parts.get(part).isAround()).toArray();
    cover(parts, all, random).forEach(row -> rows.add(new HostileRow(target, row)));
    if (within.length < all.length) {
      cover(parts, within, random).forEach(row -> rows.add(new HostileRow(target, row)));
    }
    return rows;
  }

  /** Rows that are drawn, each the best of some, until each pair of levels is in one. */
  private static List<int[]> cover(List<HostilePart> parts, int[] free, Random random) {
    List<Pair> open = pairs(parts, free);
    Set<Pair> missing = new HashSet<>(open);
    List<int[]> rows = new ArrayList<>();
    for (Pair next : open) {
      if (!missing.contains(next)) {
        continue;
      }
      int[] best = null;
      long most = -1;
      for (int draw = 0; draw < DRAWS; draw++) {
        int[] row = new int[parts.size()];
        for (int part : free) {
          row[part] = random.nextInt(parts.get(part).levels().size());
        }
        row[next.first().part()] = next.first().level();
        row[next.second().part()] = next.second().level();
        long covers = pairs(row, free).stream().filter(missing::contains).count();
        if (covers > most) {
          most = covers;
          best = row;
        }
      }
      rows.add(best);
      pairs(best, free).forEach(missing::remove);
    }
    return rows;
  }

  private static List<Pair> pairs(List<HostilePart> parts, int[] free) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < free.length; i++) {
      for (int j = i + 1; j < free.length; j++) {
        for (int x = 0; x < parts.get(free[i]).levels().size(); x++) {
          for (int y = 0; y < parts.get(free[j]).levels().size(); y++) {
            pairs.add(new Pair(new Level(free[i], x), new Level(free[j], y)));
          }
        }
      }
    }
    return pairs;
  }

  private static List<Pair> pairs(int[] row, int[] free) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < free.length; i++) {
      for (int j = i + 1; j < free.length; j++) {
        pairs.add(new Pair(new Level(free[i], row[free[i]]), new Level(free[j], row[free[j]])));
      }
    }
    return pairs;
  }
}
