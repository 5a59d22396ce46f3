package io.weir.reading;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A decoded batch in columns: consecutive readings of one sensor form a run, ids remain bytes of
 * the record, and each reading has a {@link Verdict}. Reused for each batch: after warm-up a batch
 * allocates nothing.
 *
 * <p>Runs and readings are in the order of the record. Not thread-safe.
 */
public final class ReadingColumns implements BatchIdentity {
  private static final int FIRST_RUNS = 64;
  private static final int FIRST_READINGS = 1024;

  /** Larger arrays are not reused for the next batch. */
  private static final int MOST_KEPT = 1 << 16;

  /** How a run was written. */
  public enum Form {
    /** Single readings. */
    ROWS,
    /** One series. */
    SERIES,
    /** One series whose lengths differ or whose deltas overflow: its columns are invalid. */
    BROKEN_SERIES
  }

  private static final Form[] FORMS = Form.values();
  private static final byte ROWS = (byte) Form.ROWS.ordinal();
  private static final byte BAD = (byte) Quality.BAD.number();

  private byte[] bytes = {};
  private int gatewayOffset;
  private int gatewayLength;
  private long bootId;
  private long sequence;

  private int runs;
  private int[] idOffset;
  private int[] idLength;
  private boolean[] known;
  private int[] runEnd;

  /** Numbers in {@link #FORMS}. */
  private byte[] form;

  private int readings;
  private long[] timestampMs;
  private double[] value;
  private byte[] quality;
  private byte[] verdict;

  private final Attestations attestations = new Attestations();

  public ReadingColumns() {
    allocateRuns();
    allocateReadings();
  }

  private void allocateRuns() {
    idOffset = new int[FIRST_RUNS];
    idLength = new int[FIRST_RUNS];
    known = new boolean[FIRST_RUNS];
    runEnd = new int[FIRST_RUNS];
    form = new byte[FIRST_RUNS];
  }

  private void allocateReadings() {
    timestampMs = new long[FIRST_READINGS];
    value = new double[FIRST_READINGS];
    quality = new byte[FIRST_READINGS];
    verdict = new byte[FIRST_READINGS];
  }

  /** Clears the batch; ids that are added next are bytes of {@code record}. */
  public void start(byte[] record) {
    if (runEnd.length > MOST_KEPT) {
      allocateRuns();
    }
    if (value.length > MOST_KEPT) {
      allocateReadings();
    }
    bytes = record;
    gatewayOffset = 0;
    gatewayLength = 0;
    bootId = 0;
    sequence = 0;
    attestations.clear();
    runs = 0;
    readings = 0;
  }

  public void gateway(int offset, int length) {
    gatewayOffset = offset;
    gatewayLength = length;
  }

  public void bootId(long id) {
    bootId = id;
  }

  public void sequence(long number) {
    sequence = number;
  }

  /** Adds a reading of the row form; one that follows a row of its own sensor joins its run. */
  public void row(int offset, int length, long timestamp, double reading, int qualityNumber) {
    if (!continuesRun(offset, length)) {
      startRun(offset, length, Form.ROWS);
    }
    ensureReadings(readings + 1);
    timestampMs[readings] = timestamp;
    value[readings] = reading;
    quality[readings] = narrow(qualityNumber);
    verdict[readings] = Verdict.ACCEPTED;
    readings++;
    runEnd[runs - 1] = readings;
  }

  private boolean continuesRun(int offset, int length) {
    int last = runs - 1;
    return last >= 0
        && form[last] == ROWS
        && idLength[last] == length
        && IdBytes.equal(bytes, idOffset[last], bytes, offset, length);
  }

  /**
   * Adds a series of {@code count} readings, whose columns the caller has laid out behind {@link
   * #readings()} with the setters below.
   */
  public void series(int offset, int length, int count, boolean broken) {
    startRun(offset, length, broken ? Form.BROKEN_SERIES : Form.SERIES);
    ensureReadings(readings + count);
    Arrays.fill(verdict, readings, readings + count, Verdict.ACCEPTED);
    readings += count;
    runEnd[runs - 1] = readings;
  }

  private void startRun(int offset, int length, Form runForm) {
    if (runs == runEnd.length) {
      int larger = runs * 2;
      idOffset = Arrays.copyOf(idOffset, larger);
      idLength = Arrays.copyOf(idLength, larger);
      known = Arrays.copyOf(known, larger);
      runEnd = Arrays.copyOf(runEnd, larger);
      form = Arrays.copyOf(form, larger);
    }
    idOffset[runs] = offset;
    idLength[runs] = length;
    known[runs] = false;
    form[runs] = (byte) runForm.ordinal();
    runEnd[runs] = readings;
    runs++;
  }

  /** Makes room for {@code count} readings in all. */
  public void ensureReadings(int count) {
    if (count <= value.length) {
      return;
    }
    int larger = Math.max(count, value.length * 2);
    timestampMs = Arrays.copyOf(timestampMs, larger);
    value = Arrays.copyOf(value, larger);
    quality = Arrays.copyOf(quality, larger);
    verdict = Arrays.copyOf(verdict, larger);
  }

  /** The backing array, valid until it grows; for use in loops. */
  public long[] timestampsMs() {
    return timestampMs;
  }

  /** The backing array, valid until it grows. */
  public double[] values() {
    return value;
  }

  public void quality(int index, int qualityNumber) {
    quality[index] = narrow(qualityNumber);
  }

  /** A quality that does not fit in a byte is unknown and becomes another unknown number. */
  private static byte narrow(int qualityNumber) {
    return qualityNumber == (byte) qualityNumber ? (byte) qualityNumber : Byte.MAX_VALUE;
  }

  public void verdict(int index, byte judged) {
    verdict[index] = judged;
  }

  /** The completeness that the gateway attests. */
  public Attestations attestations() {
    return attestations;
  }

  /** The record that ids point into. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public String gatewayId() {
    return new String(bytes, gatewayOffset, gatewayLength, StandardCharsets.UTF_8);
  }

  public int gatewayOffset() {
    return gatewayOffset;
  }

  @Override
  public int gatewayLength() {
    return gatewayLength;
  }

  /** Unsigned; 0 if the batch is not sequenced. */
  @Override
  public long bootId() {
    return bootId;
  }

  /** Unsigned. */
  @Override
  public long sequence() {
    return sequence;
  }

  public int runs() {
    return runs;
  }

  /** The first reading of a run. */
  public int runStart(int run) {
    return run == 0 ? 0 : runEnd[run - 1];
  }

  /** The reading after the last of a run. */
  public int runEnd(int run) {
    return runEnd[run];
  }

  public Form form(int run) {
    return FORMS[form[run]];
  }

  public int idOffset(int run) {
    return idOffset[run];
  }

  public int idLength(int run) {
    return idLength[run];
  }

  /** {@link IdBytes#hash} of the run's sensor id; computed with each call. */
  public int idHash(int run) {
    return IdBytes.hash(bytes, idOffset[run], idLength[run]);
  }

  /** Marks the run's sensor as checked. */
  public void known(int run) {
    known[run] = true;
  }

  /** Whether the run's sensor is marked as checked. */
  public boolean isKnown(int run) {
    return known[run];
  }

  public int readings() {
    return readings;
  }

  public long timestampMs(int index) {
    return timestampMs[index];
  }

  public double value(int index) {
    return value[index];
  }

  /** The quality's number on the wire. */
  public int quality(int index) {
    return quality[index];
  }

  /** Whether a reading is accepted so far, and its quality is not bad. */
  public boolean isAcceptedAndGood(int index) {
    return verdict[index] == Verdict.ACCEPTED && quality[index] != BAD;
  }

  /** One of {@link Verdict}. */
  public byte verdict(int index) {
    return verdict[index];
  }
}
