package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import io.weir.internal.deadletter.Gap;
import io.weir.internal.deadletter.Life;
import java.io.IOException;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * How far a state has come that is in a changelog, for those who do not run its task. Takes the
 * entries of a partition, in their order. One thread.
 */
public final class KeptPosition {
  /** Which state it is. */
  public enum Kind {
    WINDOWS,
    GROUP_PARTS,
    OTHER
  }

  private final Kind kind;
  private final InputPosition position = new InputPosition(0);
  private final Gaps gaps = new Gaps();
  private Optional<Life> life = Optional.empty();
  private long windowSizeMs;

  public KeptPosition(Kind kind) {
    this.kind = kind;
  }

  /**
   * Takes an entry.
   *
   * @throws StateMismatchException if this version does not read it
   */
  public void take(byte[] key, byte[] value) {
    if (value == null) {
      return;
    }
    try {
      if (key[0] == StateKey.META) {
        takeMeta(value);
      } else if (kind == Kind.WINDOWS && key[0] == StateKey.WITHHELD) {
        gaps.restore(value);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void takeMeta(byte[] value) throws IOException {
    if (kind == Kind.WINDOWS) {
      MetaCodec.Meta meta = MetaCodec.decode(value, position);
      life = Optional.of(new Life(meta.life()));
      windowSizeMs = meta.windowSizeMs();
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    if (kind == Kind.GROUP_PARTS) {
      in.readUInt64();
      in.readByteArray();
    }
    position.read(in);
  }

  /** Offset after the last record applied, 0 for none. */
  public long nextOffset() {
    return position.nextOffset();
  }

  /** The topic of the last record applied; {@link Uuid#ZERO_UUID} for none. */
  public Uuid topicId() {
    return position.topicId();
  }

  /** The life of the state; empty where nothing was applied, and for states without windows. */
  public Optional<Life> life() {
    return life;
  }

  /** The size of the windows in the state; undefined for states without windows. */
  public long windowSizeMs() {
    return windowSizeMs;
  }

  /** The newest gap, if its loss was not accepted. */
  public Optional<Gap> gap() {
    return gaps.newest().filter(gap -> !gaps.isAccepted());
  }
}
