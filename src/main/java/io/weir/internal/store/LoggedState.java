package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * A state of entries and of one entry more, {@code M}, which says how far it has come: format,
 * {@link InputPosition}, and what the state adds, numbers being protobuf varints; and now and then
 * {@code N}, {@link NewestEntry}. What is due is due at a known time.
 */
abstract class LoggedState implements InputState {

  /** Maximum size of the format and of the numbers in {@code M}. */
  private static final int NUMBERS_BYTES = 48;

  private final InputPosition position;
  private final NewestEntry newest;

  /**
   * @param longestGapMs how much log time passes between two records at the most
   */
  LoggedState(long longestGapMs) {
    this.position = new InputPosition(longestGapMs);
    this.newest = new NewestEntry(position.time());
  }

  /** Writes the entries that changed. */
  abstract void flushEntries(ChangeLog log) throws IOException;

  /**
   * Puts back an entry other than {@code M} and {@code N}.
   *
   * @throws StateMismatchException {@linkplain StateMismatchException#ofKind of a kind} that the
   *     state does not have
   */
  abstract void restoreEntry(byte[] key, byte[] value) throws IOException;

  /** Clears all but the position. */
  abstract void clearEntries();

  /** What {@code M} has between its format and the position; at most {@link #settingsBytes}. */
  void writeSettings(CodedOutputStream out) throws IOException {}

  /** Reads what {@link #writeSettings} wrote. */
  void readSettings(CodedInputStream in) throws IOException {}

  /** How many bytes {@link #writeSettings} writes at the most. */
  int settingsBytes() {
    return 0;
  }

  /** What {@code M} has after the position: three numbers at the most. */
  void writeNumbers(CodedOutputStream out) throws IOException {}

  /** Reads what {@link #writeNumbers} wrote. */
  void readNumbers(CodedInputStream in) throws IOException {}

  @Override
  public final InputPosition position() {
    return position;
  }

  @Override
  public final boolean awaitsTime() {
    return false;
  }

  @Override
  public final void flush(ChangeLog log) {
    if (!position.unwritten()) {
      return;
    }
    try {
      flushEntries(log);
      newest.flush(log);
      log.put(StateKey.meta(), encodeMeta());
      position.written();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] encodeMeta() throws IOException {
    byte[] buffer = new byte[NUMBERS_BYTES + settingsBytes() + InputPosition.MOST_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    writeSettings(out);
    position.write(out);
    writeNumbers(out);
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  @Override
  public final void restore(byte[] key, byte[] value) {
    try {
      if (key[0] == StateKey.META) {
        restoreMeta(value);
      } else if (key[0] == StateKey.NEWEST) {
        newest.restore(value);
      } else {
        restoreEntry(key, value);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    readSettings(in);
    position.read(in);
    readNumbers(in);
  }

  /** The append time at which a log time comes, {@link #NEVER} for never. */
  final long appendMsOf(long logMs) {
    return logMs == NEVER ? NEVER : appendMs() + logMs - position.time().logMs();
  }

  @Override
  public void resume() {
    // Entries do not depend on each other.
  }

  @Override
  public final void clear() {
    clearEntries();
    position.clear();
    newest.clear();
  }
}
