package io.weir.internal.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;

/** A changelog topic on the heap, with the compaction that a broker may or may not do. */
final class Changelog implements ChangeLog {
  private record Entry(Bytes key, byte[] value) {}

  private final List<Entry> entries = new ArrayList<>();

  @Override
  public void put(byte[] key, byte[] value) {
    entries.add(new Entry(Bytes.wrap(key), value));
  }

  int size() {
    return entries.size();
  }

  /** A line for each entry: key and value in hexadecimal. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return entries.stream()
        .map(
            entry ->
                hex.formatHex(entry.key().get())
                    + " "
                    + (entry.value() == null ? "-" : hex.formatHex(entry.value()))
                    + "\n")
        .collect(Collectors.joining());
  }

  /** The newest value of a key of letters. */
  byte[] value(String key) {
    return entries.stream()
        .filter(entry -> entry.key().toString().equals(key))
        .reduce((older, newer) -> newer)
        .orElseThrow()
        .value();
  }

  /** The newest value of a key. */
  byte[] value(byte[] key) {
    return entries.stream()
        .filter(entry -> Arrays.equals(entry.key().get(), key))
        .reduce((older, newer) -> newer)
        .orElseThrow()
        .value();
  }

  /** Loses the entries of a key. */
  void lose(byte[] key) {
    entries.removeIf(entry -> Arrays.equals(entry.key().get(), key));
  }

  /** The same, with other values at keys of a kind. */
  Changelog replaced(char kind, UnaryOperator<byte[]> values) {
    Changelog other = new Changelog();
    for (Entry entry : entries) {
      boolean ofKind = entry.key().get()[0] == kind && entry.value() != null;
      other.put(entry.key().get(), ofKind ? values.apply(entry.value()) : entry.value());
    }
    return other;
  }

  /** Writes the entries of a kind to another log again. */
  void repeat(char kind, Changelog to) {
    for (Entry entry : entries) {
      if (entry.key().get()[0] == kind && entry.value() != null) {
        to.put(entry.key().get(), entry.value());
      }
    }
  }

  /** How many records were written to keys of a kind. */
  int records(char kind) {
    return (int) entries.stream().filter(entry -> entry.key().get()[0] == kind).count();
  }

  /** What was written to keys of a kind, with their keys. */
  long bytes(char kind) {
    return entries.stream()
        .filter(entry -> entry.key().get()[0] == kind && entry.value() != null)
        .mapToLong(entry -> entry.key().get().length + entry.value().length)
        .sum();
  }

  /** Reads entries from an offset on into a state; gives the offset after the last. */
  int replay(int from, HeapState state) {
    for (Entry entry : entries.subList(from, entries.size())) {
      state.restore(entry.key().get(), entry.value());
    }
    return entries.size();
  }

  /** The newest entry of each key, in the order of offsets; tombstones may be gone too. */
  Changelog compacted(boolean tombstones) {
    return compactedThrough(entries.size(), tombstones);
  }

  /** Compacted up to some offset, as a log with an active segment is. */
  Changelog compactedSomewhere(Random random) {
    return compactedThrough(random.nextInt(entries.size() + 1), random.nextBoolean());
  }

  /** What somebody reads while it is compacted: its beginning as it was, the rest compacted. */
  Changelog compactedWhileRead(Random random) {
    int read = random.nextInt(entries.size() + 1);
    Changelog seen = new Changelog();
    seen.entries.addAll(entries.subList(0, read));
    List<Entry> rest = new ArrayList<>(compacted(true).entries);
    Set<Entry> readAlready = Collections.newSetFromMap(new IdentityHashMap<>());
    readAlready.addAll(seen.entries);
    rest.removeIf(readAlready::contains);
    seen.entries.addAll(rest);
    return seen;
  }

  /** What somebody reads from an offset on while the log is compacted here and there. */
  Changelog compactedHereAndThere(Random random, int from) {
    Changelog seen = new Changelog();
    int size = entries.size();
    int[] replacedBy = replacedBy(from);
    int withoutTombstones = from == 0 && random.nextBoolean() ? random.nextInt(size + 1) : 0;
    int piece = 1 + random.nextInt(random.nextBoolean() ? 400 : 20);
    int compactedThrough = 0;
    for (int i = from; i < size; i++) {
      if (i == from || random.nextInt(piece) == 0) {
        compactedThrough =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> random.nextInt(size + 1);
              default -> size;
            };
      }
      boolean aged = i < withoutTombstones;
      Entry entry = entries.get(i);
      compactedThrough = Math.max(compactedThrough, aged ? withoutTombstones : 0);
      if (replacedBy[i] >= compactedThrough && !(aged && entry.value() == null)) {
        seen.entries.add(entry);
      }
    }
    return seen;
  }

  /** Of each entry from an offset on: that of the next one with its key. */
  private int[] replacedBy(int from) {
    int[] replacedBy = new int[entries.size()];
    Map<Bytes, Integer> later = new HashMap<>();
    for (int i = entries.size() - 1; i >= from; i--) {
      Integer next = later.put(entries.get(i).key(), i);
      replacedBy[i] = next == null ? Integer.MAX_VALUE : next;
    }
    return replacedBy;
  }

  private Changelog compactedThrough(int end, boolean tombstones) {
    Changelog compacted = new Changelog();
    Set<Bytes> newer = new HashSet<>();
    for (int i = end - 1; i >= 0; i--) {
      Entry entry = entries.get(i);
      if (newer.add(entry.key()) && (tombstones || entry.value() != null)) {
        compacted.entries.add(entry);
      }
    }
    Collections.reverse(compacted.entries);
    compacted.entries.addAll(entries.subList(end, entries.size()));
    return compacted;
  }

  /** The keys that are there, bytes that are no letters as escapes. */
  Set<String> keys() {
    Set<String> keys = new HashSet<>();
    compacted(false).entries.forEach(entry -> keys.add(entry.key().toString()));
    return keys;
  }

  int longestValue() {
    return entries.stream().mapToInt(e -> e.value() == null ? 0 : e.value().length).max().orElse(0);
  }
}
