package io.weir.internal.store;

import io.weir.internal.event.Fold;
import io.weir.internal.event.Folds;
import io.weir.internal.event.Subjects;
import io.weir.reading.ByteKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds as entries of the changelog. A fold's head is written whenever it changed; its fields and
 * subjects are in parts, of which only those that changed are written, so that a commit does not
 * write a fold of a thousand fields for one of them. A fold that ends before it was ever written
 * writes nothing. Called by the task's thread only.
 *
 * <pre>
 * F, name           {@link FoldCodec}: the fold without fields; {@link Fold#name}: key and type
 * f, part n, name   fields 32 n to 32 n + 31, in the order in which they came
 * s, part n, name   subjects 64 n to 64 n + 63, alike
 * </pre>
 *
 * Parts make sense together alone: what is read back is kept as it is until all is there.
 */
final class FoldEntries {
  static final byte FOLD = 'F';
  static final byte FIELDS = 'f';
  static final byte SUBJECTS = 's';

  private static final int SUBJECTS_A_PART = 64;

  private final Folds folds;
  private final FoldCodec codec = new FoldCodec();

  /** What was read back, until {@link #resume}; null from then on. */
  private Map<ByteKey, byte[]> restored = new HashMap<>();

  FoldEntries(Folds folds) {
    this.folds = folds;
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) {
    for (Fold fold : folds.ended()) {
      delete(fold, log);
    }
    folds.forEachTouched(fold -> put(fold, log));
    folds.written();
  }

  private static void delete(Fold fold, ChangeLog log) {
    log.put(StateKey.of(FOLD, fold.name()), null);
    for (int part = 0; part < parts(fold.fieldsWritten(), Fold.FIELDS_A_CHUNK); part++) {
      log.put(StateKey.part(FIELDS, part, fold.name()), null);
    }
    for (int part = 0; part < parts(fold.subjectsWritten(), SUBJECTS_A_PART); part++) {
      log.put(StateKey.part(SUBJECTS, part, fold.name()), null);
    }
  }

  private static int parts(int elements, int aPart) {
    return (elements + aPart - 1) / aPart;
  }

  private void put(Fold fold, ChangeLog log) {
    try {
      write(fold, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Fold fold, ChangeLog log) throws IOException {
    byte[] name = fold.name();
    log.put(StateKey.of(FOLD, name), codec.encodeHead(fold));
    for (int part = fold.changedChunks().nextSetBit(0);
        part >= 0;
        part = fold.changedChunks().nextSetBit(part + 1)) {
      int from = part * Fold.FIELDS_A_CHUNK;
      int to = Math.min(from + Fold.FIELDS_A_CHUNK, fold.fields().size());
      log.put(
          StateKey.part(FIELDS, part, name), codec.encodeFields(fold.fields().subList(from, to)));
    }
    List<byte[]> subjects = fold.subjects().inOrder();
    if (fold.subjectsWritten() < subjects.size()) {
      for (int part = fold.subjectsWritten() / SUBJECTS_A_PART;
          part < parts(subjects.size(), SUBJECTS_A_PART);
          part++) {
        int from = part * SUBJECTS_A_PART;
        int to = Math.min(from + SUBJECTS_A_PART, subjects.size());
        log.put(StateKey.part(SUBJECTS, part, name), codec.encodeTexts(subjects.subList(from, to)));
      }
    }
  }

  /** Puts back an entry, also of a state that has gone on: a standby that was active before. */
  void restore(byte[] key, byte[] value) {
    if (restored == null) {
      takeApart();
    }
    if (value == null) {
      restored.remove(new ByteKey(key));
    } else {
      restored.put(new ByteKey(key), value);
    }
  }

  private void takeApart() {
    restored = new HashMap<>();
    folds.forEach(
        fold -> {
          fold.unwritten();
          put(fold, (key, value) -> restored.put(new ByteKey(key), value));
        });
    folds.clear();
  }

  /**
   * Puts together what was read back.
   *
   * @throws StateMismatchException if a part is missing or damaged
   */
  void resume() {
    if (restored == null) {
      return;
    }
    List<Fold> whole = new ArrayList<>();
    try {
      for (Map.Entry<ByteKey, byte[]> entry : restored.entrySet()) {
        byte[] key = entry.getKey().bytes();
        if (key[0] == FOLD) {
          whole.add(read(Arrays.copyOfRange(key, 1, key.length), entry.getValue()));
        }
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
    folds.restore(whole);
    restored = null;
  }

  private Fold read(byte[] name, byte[] head) throws IOException {
    FoldCodec.Head read = FoldCodec.decodeHead(name, head);
    Fold fold = read.fold();
    for (int part = 0; part < parts(read.fields(), Fold.FIELDS_A_CHUNK); part++) {
      FoldCodec.decodeFields(part(FIELDS, part, name), fold);
    }
    Subjects subjects = fold.subjects();
    for (int part = 0; part < parts(read.subjects(), SUBJECTS_A_PART); part++) {
      FoldCodec.decodeTexts(part(SUBJECTS, part, name)).forEach(subjects::restore);
    }
    read.listed().forEach(subjects::restoreListed);
    if (fold.fields().size() != read.fields() || subjects.count() != read.subjects()) {
      throw new StateMismatchException("the parts of a fold in the changelog do not fit together");
    }
    return fold;
  }

  private byte[] part(byte kind, int number, byte[] name) {
    byte[] value = restored.get(new ByteKey(StateKey.part(kind, number, name)));
    if (value == null) {
      throw new StateMismatchException("a part of a fold is missing in the changelog");
    }
    return value;
  }

  void clear() {
    folds.clear();
    restored = new HashMap<>();
  }
}
