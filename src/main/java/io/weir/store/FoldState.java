package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.event.FoldSpec;
import io.weir.event.Folds;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * All that a task keeps of its partition of events: the folds of its keys ({@link FoldEntries}),
 * gateways with their sequences, and how far it has come, as {@code M}: format 1, {@link
 * InputPosition}.
 */
public final class FoldState implements InputState {
  private static final int FORMAT = 1;

  private final Folds folds;
  private final Gateways gateways;
  private final InputPosition position;
  private final GatewayEntries gatewayEntries;
  private final FoldEntries foldEntries;

  /** Log time passes between two records by the longer of quiet and max hold at the most. */
  public FoldState(FoldSpec spec, GatewayRules gatewayRules) {
    this.folds = new Folds(spec);
    this.gateways = new Gateways(gatewayRules);
    this.position = new InputPosition(Math.max(spec.quietMs(), spec.maxHoldMs()));
    this.gatewayEntries = new GatewayEntries(gateways);
    this.foldEntries = new FoldEntries(folds);
  }

  public Folds folds() {
    return folds;
  }

  public Gateways gateways() {
    return gateways;
  }

  @Override
  public InputPosition position() {
    return position;
  }

  @Override
  public boolean awaitsTime() {
    return false; // What is due is due at a known time.
  }

  @Override
  public long dueMs() {
    long nextMs = folds.nextDueMs();
    return nextMs == NEVER ? NEVER : appendMs() + nextMs - position.time().logMs();
  }

  @Override
  public void flush(ChangeLog log) {
    try {
      foldEntries.flush(log);
      gatewayEntries.flush(log);
      if (position.unwritten()) {
        byte[] buffer = new byte[InputPosition.MOST_BYTES + 1];
        CodedOutputStream out = CodedOutputStream.newInstance(buffer);
        out.writeUInt32NoTag(FORMAT);
        position.write(out);
        log.put(StateKey.meta(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
        position.written();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    try {
      switch (key[0]) {
        case StateKey.META -> restoreMeta(value);
        case FoldEntries.FOLD, FoldEntries.FIELDS, FoldEntries.SUBJECTS ->
            foldEntries.restore(key, value);
        case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
        default -> throw StateMismatchException.ofKind(key[0]);
      }
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private void restoreMeta(byte[] value) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(value);
    int format = in.readUInt32();
    if (format != FORMAT) {
      throw StateMismatchException.ofFormat(format, FORMAT);
    }
    position.read(in);
  }

  @Override
  public void resume() {
    foldEntries.resume();
  }

  @Override
  public void clear() {
    folds.clear();
    gateways.clear();
    position.clear();
    foldEntries.clear();
  }
}
