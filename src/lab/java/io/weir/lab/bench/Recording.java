package io.weir.lab.bench;

import io.weir.edge.Compression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A file of readings, to be published with one compression.
 *
 * @param file CSV or JSON lines, compressed with gzip or not
 * @param compression as Kafka calls it, with the level behind a dash where it has one: zstd-3
 */
public record Recording(Path file, String compression) {
  /** What is compared with each other, cheapest first. */
  static final List<String> COMPRESSIONS =
      List.of(
          "none", "snappy", "lz4", "zstd-1", "zstd-2", "zstd-3", "zstd-6", "zstd-9", "zstd-12",
          "gzip-6", "zstd-19");

  /** The file's name up to the first dot. */
  String name() {
    String name = file.getFileName().toString();
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  Compression codec() {
    return Compression.valueOf(parts()[0].toUpperCase(Locale.ROOT));
  }

  /** The producer's setting of the level; empty where the codec has none. */
  Map<String, Object> level() {
    String[] parts = parts();
    return parts.length == 1
        ? Map.of()
        : Map.of("compression." + parts[0] + ".level", Integer.valueOf(parts[1]));
  }

  private String[] parts() {
    return compression.split("-");
  }

  static List<Recording> of(List<Path> files) {
    List<Recording> recordings = new ArrayList<>();
    for (String compression : COMPRESSIONS) {
      for (Path file : files) {
        recordings.add(new Recording(file, compression));
      }
    }
    return recordings;
  }
}
