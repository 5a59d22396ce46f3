package io.weir.edge;

/**
 * How records are compressed on their way and on the topic. Levels are Kafka's own settings, such
 * as {@code compression.zstd.level} (the publishers set 2).
 */
public enum Compression {
  NONE,
  GZIP,
  SNAPPY,
  LZ4,
  ZSTD
}
