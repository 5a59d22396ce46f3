package io.weir.topology;

import org.apache.kafka.common.Uuid;

/** A topic whose beginning is deleted now and then before it is read. */
final class Cuts implements InputLog {
  private long deleted;

  /** So many records are deleted before the next one. */
  void cut(long records) {
    deleted += records;
  }

  @Override
  public Uuid topicId() {
    return Uuid.ZERO_UUID;
  }

  @Override
  public boolean mayHaveJumped(int partition) {
    return deleted > 0;
  }

  @Override
  public long requireContinues(int partition, Uuid topicId, long nextOffset, long offset) {
    long before = deleted;
    deleted = 0;
    return before;
  }
}
