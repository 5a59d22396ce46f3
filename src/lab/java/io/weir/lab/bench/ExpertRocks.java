package io.weir.lab.bench;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One cache and one bound of write buffers for all stores of a process, as Kafka's documentation
 * recommends: by themselves the stores of 64 partitions would take gigabytes.
 */
public final class ExpertRocks implements RocksDBConfigSetter {
  private static final long CACHE_BYTES = 256L << 20;
  private static final long WRITE_BUFFER_BYTES = 128L << 20;

  static {
    RocksDB.loadLibrary();
  }

  private static final Cache CACHE = new LRUCache(CACHE_BYTES);
  private static final WriteBufferManager WRITE_BUFFERS =
      new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

  @Override
  public void setConfig(String store, Options options, Map<String, Object> settings) {
    BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(WRITE_BUFFERS);
  }

  @Override
  public void close(String store, Options options) {
    // Cache and buffers are the process's.
  }
}
