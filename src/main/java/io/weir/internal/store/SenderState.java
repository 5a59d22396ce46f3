package io.weir.internal.store;

import io.weir.reading.GatewayRules;
import io.weir.reading.Gateways;
import io.weir.reading.OwnSequences;
import io.weir.reading.RedrivenParts;
import java.io.IOException;

/**
 * What a state of events keeps of senders: gateways with their sequences, parts of dead letters
 * that were sent again, and the sequences of what the task itself sends. Its entries of the
 * changelog, keys as in {@link StateKey}:
 *
 * <pre>
 * G       {@link GatewayCodec}
 * P, U    {@link RedrivenEntries}
 * Y       {@link OwnEntries}
 * L       format. Records were deleted before they were read
 * </pre>
 */
public final class SenderState {
  private final Gateways gateways;
  private final GatewayEntries gatewayEntries;
  private final RedrivenParts redriven = new RedrivenParts();
  private final RedrivenEntries redrivenEntries = new RedrivenEntries(redriven);
  private final OwnSequences own = new OwnSequences();
  private final OwnEntries ownEntries = new OwnEntries(own);
  private boolean cutUnwritten;

  SenderState(GatewayRules rules) {
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

  void deletedUnread() {
    gateways.deletedUnread();
    cutUnwritten = true;
  }

  void flush(ChangeLog log) throws IOException {
    gatewayEntries.flushDeletions(log);
    gatewayEntries.flush(log);
    redrivenEntries.flush(log);
    ownEntries.flush(log);
    if (cutUnwritten) {
      log.put(StateKey.withheld(), new byte[] {StateFormat.NUMBER});
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
      case StateKey.WITHHELD -> {
        StateFormat.read(value);
        gateways.deletedUnread();
      }
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
