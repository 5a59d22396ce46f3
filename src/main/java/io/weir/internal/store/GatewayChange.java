package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import io.weir.reading.AppliedSequences;
import io.weir.reading.GatewaySequences;
import java.io.IOException;

/**
 * What was applied of a gateway since it was last written: the sequences, in their order. As bytes,
 * numbers being protobuf varints:
 *
 * <pre>
 * change   its number less that of the one before, zigzag | number of this record less that of the
 *          one that it was last written with | last applied, log time in ms, less that of the one
 *          before, zigzag | how many runs | each: boot id less that of the run before (of the
 *          first: the newest boot), zigzag | first sequence less the one after the run before (of
 *          the first: after the newest boot's highest), zigzag | how many sequences follow each
 *          other
 * </pre>
 *
 * @param number of the gateway
 * @param lastRecord that it was last written with
 * @param lastAppliedMs log time of its last batch
 * @param runs its runs, three numbers each: differences of boot id and first sequence, and how many
 */
record GatewayChange(int number, long lastRecord, long lastAppliedMs, long[] runs) {
  private static final int NUMBERS = 3;

  /**
   * Adds one to a column.
   *
   * @param record that it is in
   * @param before the gateway before it in the column; null for none
   */
  static void write(GatewayMember gateway, GatewayMember before, long record, ByteColumn column) {
    AppliedSequences applied = gateway.applied();
    column.putZigzag(gateway.number() - (before == null ? 0 : before.number()));
    column.putVarint(record - gateway.lastRecord());
    column.putZigzag(gateway.lastAppliedMs() - (before == null ? 0 : before.lastAppliedMs()));
    column.putVarint(applied.runs());
    long bootId = applied.bootBefore();
    long next = applied.highestBefore() + 1;
    for (int run = 0; run < applied.runs(); run++) {
      column.putZigzag(applied.bootId(run) - bootId);
      column.putZigzag(applied.first(run) - next);
      column.putVarint(applied.count(run));
      bootId = applied.bootId(run);
      next = applied.first(run) + applied.count(run);
    }
  }

  /**
   * Reads one from a column.
   *
   * @param before the one before it in the column; null for none
   * @param record that it is in
   */
  static GatewayChange read(CodedInputStream in, GatewayChange before, long record)
      throws IOException {
    int number = (before == null ? 0 : before.number()) + in.readSInt32();
    long lastRecord = record - in.readUInt64();
    long lastAppliedMs = (before == null ? 0 : before.lastAppliedMs()) + in.readSInt64();
    int runs = in.readUInt32();
    if (runs < 0 || runs > AppliedSequences.MOST_RUNS) {
      throw new IOException("a record of changes has " + runs + " runs of sequences");
    }
    long[] numbers = new long[NUMBERS * runs];
    for (int i = 0; i < numbers.length; i += NUMBERS) {
      numbers[i] = in.readSInt64();
      numbers[i + 1] = in.readSInt64();
      numbers[i + 2] = in.readUInt32();
    }
    return new GatewayChange(number, lastRecord, lastAppliedMs, numbers);
  }

  /** Applies the sequences once more. */
  void apply(GatewaySequences gateway) throws IOException {
    long bootId = gateway.newestBootId();
    long next = gateway.newestHighest() + 1;
    long sequences = 0;
    for (int i = 0; i < runs.length; i += NUMBERS) {
      bootId += runs[i];
      long from = next + runs[i + 1];
      long count = runs[i + 2];
      sequences += count;
      boolean allowed =
          count > 0
              && sequences <= AppliedSequences.MOST_SEQUENCES
              && from < Long.MAX_VALUE - AppliedSequences.MOST_SEQUENCES;
      if (!allowed || !gateway.resume(bootId, from, (int) count, lastAppliedMs)) {
        throw new IOException("a record of changes has sequences that were there before");
      }
      next = from + count;
    }
  }
}
