package io.weir.lab.chaos;

import io.weir.edge.SequencedBatch;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** An entry of a gateway's ledger. Its bytes begin with a letter that names its kind. */
sealed interface LedgerEntry {
  /** A publisher began; of what was kept before it may use nothing if it started empty-handed. */
  record Began(long bootId, boolean emptyHanded) implements LedgerEntry {}

  /** A batch is about to be sent for the first time in this life. */
  record Batch(SequencedBatch batch) implements LedgerEntry {}

  /** The brokers acknowledged a batch. */
  record Acknowledged(long bootId, int partition, long sequence) implements LedgerEntry {}

  /** A record that is no publisher's is about to be sent; value null for one without. */
  record Raw(long number, int partition, int readings, byte[] value) implements LedgerEntry {}

  /** The brokers acknowledged such a record. */
  record RawAcknowledged(long number) implements LedgerEntry {}

  /** The entry as bytes. */
  default byte[] toBytes() {
    if (this instanceof Began began) {
      return buffer('L', 9)
          .putLong(began.bootId())
          .put((byte) (began.emptyHanded() ? 1 : 0))
          .array();
    } else if (this instanceof Batch written) {
      SequencedBatch batch = written.batch();
      return buffer('B', 24 + batch.value().length)
          .putLong(batch.bootId())
          .putInt(batch.partition())
          .putLong(batch.sequence())
          .putInt(batch.readings())
          .put(batch.value())
          .array();
    } else if (this instanceof Acknowledged batch) {
      return buffer('A', 20)
          .putLong(batch.bootId())
          .putInt(batch.partition())
          .putLong(batch.sequence())
          .array();
    } else if (this instanceof Raw raw) {
      int length = raw.value() == null ? 0 : raw.value().length;
      return buffer('R', 17 + length)
          .putLong(raw.number())
          .putInt(raw.partition())
          .putInt(raw.readings())
          .put((byte) (raw.value() == null ? 1 : 0))
          .put(raw.value() == null ? new byte[0] : raw.value())
          .array();
    }
    return buffer('K', 8).putLong(((RawAcknowledged) this).number()).array();
  }

  private static ByteBuffer buffer(char kind, int length) {
    return ByteBuffer.allocate(1 + length).put((byte) kind);
  }

  /**
   * The entry of these bytes.
   *
   * @throws IllegalArgumentException if they are none
   */
  static LedgerEntry ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      char kind = (char) in.get();
      return switch (kind) {
        case 'L' -> new Began(in.getLong(), in.get() == 1);
        case 'B' ->
            new Batch(
                new SequencedBatch(in.getLong(), in.getInt(), in.getLong(), in.getInt(), rest(in)));
        case 'A' -> new Acknowledged(in.getLong(), in.getInt(), in.getLong());
        case 'R' ->
            new Raw(in.getLong(), in.getInt(), in.getInt(), in.get() == 1 ? null : rest(in));
        case 'K' -> new RawAcknowledged(in.getLong());
        default -> throw new IllegalArgumentException("no kind of ledger entry: " + kind);
      };
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a ledger entry breaks off", e);
    }
  }

  private static byte[] rest(ByteBuffer in) {
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    return rest;
  }
}
