package io.weir.internal.store;

import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.WindowSpec;
import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import io.weir.reading.OwnSequences;
import io.weir.reading.RedrivenParts;
import java.io.IOException;
import java.util.Arrays;

/**
 * What a state of events keeps of senders: gateways with their sequences, parts of dead letters
 * that were sent again, and the sequences of what the task itself sends. Its entries of the
 * changelog, keys as in {@link StateKey}:
 *
 * <pre>
 * G       {@link GatewayCodec}
 * P, U    {@link RedrivenEntries}
 * Y       {@link OwnEntries}
 * L       format | before when records were deleted unread, in ms, zigzag
 * </pre>
 */
public final class SenderState {
  private static final int MOST_CUT_BYTES = 16;

  private final Gateways gateways;
  private final GatewayEntries gatewayEntries;
  private final RedrivenParts redriven = new RedrivenParts();
  private final RedrivenEntries redrivenEntries = new RedrivenEntries(redriven);
  private final OwnSequences own = new OwnSequences();
  private final OwnEntries ownEntries = new OwnEntries(own);
  private final long deletedThroughMs;
  private boolean cutUnwritten;

  SenderState(GatewayRules rules) {
    this.deletedThroughMs = PartitionState.deletedThroughMs(rules);
    this.gateways = new Gateways(rules);
    this.gatewayEntries = new GatewayEntries(gateways);
  }

  public Gateways gateways() {
    return gateways;
  }

  /** Signed parts of dead letters that have counted. */
  public RedrivenParts redriven() {
    return redriven;
  }

  /** The sequences of what the task itself sends. */
  public OwnSequences own() {
    return own;
  }

  void deletedUnread(long appendMs) {
    own.forget();
    gateways.deletedUnread(WindowSpec.saturatedSum(appendMs, deletedThroughMs));
    cutUnwritten = true;
  }

  void flush(ChangeLog log) throws IOException {
    gatewayEntries.flushDeletions(log);
    gatewayEntries.flush(log);
    redrivenEntries.flush(log);
    ownEntries.flush(log);
    if (cutUnwritten) {
      byte[] buffer = new byte[MOST_CUT_BYTES];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      StateFormat.write(out);
      out.writeSInt64NoTag(gateways.cutBeforeMs());
      log.put(StateKey.withheld(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      cutUnwritten = false;
    }
  }

  /**
   * Puts back an entry.
   *
   * @throws StateMismatchException {@linkplain StateMismatchException#ofKind of a kind} that the
   *     state does not have
   */
  void restore(byte[] key, byte[] value) throws IOException {
    switch (key[0]) {
      case StateKey.GATEWAY -> gatewayEntries.restore(key, value);
      case StateKey.REDRIVEN -> redrivenEntries.restorePart(key, value);
      case StateKey.REDRIVEN_THROUGH -> redrivenEntries.restoreThrough(key, value);
      case StateKey.OWN -> ownEntries.restore(key, value);
      case StateKey.WITHHELD -> gateways.restoreCut(StateFormat.read(value).readSInt64());
      default -> throw StateMismatchException.ofKind(key[0]);
    }
  }

  void clear() {
    gateways.clear();
    redriven.clear();
    own.clear();
    cutUnwritten = false;
  }
}
