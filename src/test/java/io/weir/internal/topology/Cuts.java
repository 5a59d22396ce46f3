package io.weir.internal.topology;

import java.util.OptionalLong;
import org.apache.kafka.common.Uuid;

/** A topic whose beginning is deleted now and then before it is read, or whose state is lost. */
final class Cuts implements InputLog {
  private long missing;
  private boolean wereApplied;
  private OptionalLong elsewhere = OptionalLong.empty();

  /** So many records are deleted before the next one. */
  void cut(long records) {
    missing += records;
    wereApplied = false;
  }

  /** So many records that were applied before the next one are not in the state. */
  void lose(long records) {
    missing += records;
    wereApplied = true;
  }

  /** Another partition has no records from before an append time. */
  void cutElsewhere(long appendMs) {
    elsewhere = OptionalLong.of(appendMs);
  }

  @Override
  public OptionalLong deletedBeforeMs(long nowMs) {
    return elsewhere;
  }

  @Override
  public Uuid topicId() {
    return Uuid.ZERO_UUID;
  }

  @Override
  public boolean mayHaveJumped(int partition) {
    return missing > 0;
  }

  @Override
  public Missing requireContinues(
      int partition, Uuid topicId, long life, long nextOffset, long offset) {
    if (missing == 0) {
      return Missing.NONE;
    }
    Missing before = new Missing(missing, wereApplied);
    missing = 0;
    return before;
  }
}
