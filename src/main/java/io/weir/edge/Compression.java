package io.weir.edge;

/**
 * The compression of records. Levels are Kafka's own settings, such as {@code
 * compression.zstd.level} (the publishers set 2).
 */
public enum Compression {
  NONE,
  GZIP,
  SNAPPY,
  LZ4,
  ZSTD
}
