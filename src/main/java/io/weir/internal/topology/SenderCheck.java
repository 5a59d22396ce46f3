package io.weir.internal.topology;

import io.weir.internal.deadletter.DeadLetterHeaders;
import io.weir.internal.deadletter.Origin;
import io.weir.internal.permission.Permit;
import io.weir.internal.permission.Permits;
import io.weir.internal.wire.UndecodableException;
import io.weir.reading.BatchIdentity;
import io.weir.reading.BatchVerdict;
import io.weir.reading.OwnSequences;
import io.weir.reading.RedrivenParts;
import io.weir.reading.RedrivenParts.Part;
import io.weir.reading.RedrivenParts.Source;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchVerifier;
import io.weir.signing.SignatureCheck;
import io.weir.signing.SigningMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Whether the sender of a record may send it, the same for batches of readings and of events: its
 * signature before it is decoded, then its gateway. Ticks and reset marks are not checked here: a
 * tick only moves log time, as any record does, and a reset mark must match its order. For one
 * thread.
 */
final class SenderCheck {
  private final SigningMode mode;

  /** Null where signatures are not looked at. */
  private final BatchVerifier verifier;

  /** Null where each gateway may publish all. */
  private final Permits permits;

  private final int partition;
  private final int maxIdBytes;
  private final Runnable unsigned;
  private final MessageDigest sha256;
  private SignatureCheck check;
  private String claimed = "";

  /** Null where the batch is none. */
  private Part part;

  SenderCheck(
      SigningMode mode,
      BatchVerifier verifier,
      Permits permits,
      int partition,
      int maxIdBytes,
      Runnable unsigned) {
    this.mode = mode;
    this.verifier = verifier;
    this.permits = permits;
    this.partition = partition;
    this.maxIdBytes = maxIdBytes;
    this.unsigned = unsigned;
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }

  /**
   * Checks a record's signature.
   *
   * @throws UndecodableException where the record is refused, with the reason
   */
  void require(Record<byte[], byte[]> record) throws UndecodableException {
    if (verifier == null) {
      return;
    }
    byte[] value = record.value();
    check = verifier.check(partition, value, record.headers(), record.timestamp());
    claimed =
        check.gatewayLength() == 0 || check.gatewayLength() > maxIdBytes
            ? ""
            : new String(
                value, check.gatewayOffset(), check.gatewayLength(), StandardCharsets.UTF_8);
    switch (check.outcome()) {
      case BAD -> throw UndecodableException.notProven(RejectReason.BAD_SIGNATURE);
      case UNSIGNED -> {
        if (mode == SigningMode.REQUIRE) {
          throw UndecodableException.notProven(RejectReason.UNSIGNED);
        }
      }
      default -> {}
    }
  }

  /**
   * Checks that a batch is the gateway's that has signed: a field that is there twice means its
   * first value to one reader and its last to another. Weir's own gateways always sign.
   *
   * @throws UndecodableException where it is another's
   */
  void requireSame(BatchIdentity batch) throws UndecodableException {
    if (verifier == null) {
      return;
    }
    boolean same =
        batch.gatewayOffset() == check.gatewayOffset()
            && batch.gatewayLength() == check.gatewayLength();
    if (isOfGateway() && !same) {
      throw UndecodableException.notProven(RejectReason.BAD_SIGNATURE);
    }
    if (check.outcome() == SignatureCheck.Outcome.UNSIGNED) {
      if (OwnSequences.isOwn(batch.gatewayId())) {
        throw UndecodableException.notProven(RejectReason.UNSIGNED);
      }
      unsigned.run();
    }
  }

  private boolean isOfGateway() {
    return check.generation() > 0;
  }

  /** What the gateway may publish. */
  Permit permit(String gatewayId) {
    return permits == null ? Permit.ALL : permits.of(gatewayId);
  }

  /**
   * The verdict on a batch, which is final but for one without a sequence: a part of a dead letter
   * or late record, which its signature covers, counts once.
   *
   * @param verdict by its sequence
   */
  BatchVerdict judge(BatchVerdict verdict, Record<byte[], byte[]> record, RedrivenParts parts) {
    part = null;
    if (verdict != BatchVerdict.UNSEQUENCED || verifier == null || !isProvenRedriven(record)) {
      return verdict;
    }
    Optional<Origin> letter = DeadLetterHeaders.redriveOf(record.headers());
    if (letter.isEmpty()) {
      return BatchVerdict.INVALID_SEQUENCE;
    }
    part =
        new Part(
            new Source(letter.get().topic(), letter.get().partition()),
            letter.get().offset(),
            ByteBuffer.wrap(sha256.digest(record.value())).getLong());
    BatchVerdict ofPart = parts.judge(part);
    return ofPart == BatchVerdict.NEW ? BatchVerdict.UNSEQUENCED : ofPart;
  }

  /** What was judged last is taken. */
  void apply(RedrivenParts parts) {
    if (part != null) {
      parts.apply(part);
    }
  }

  /** Why a batch is refused whole, or null: so is one that was applied before, whatever it is. */
  RejectReason refusal(
      Record<byte[], byte[]> record, BatchIdentity batch, BatchVerdict verdict, Permit permit) {
    switch (verdict) {
      case INVALID_GATEWAY, INVALID_SEQUENCE, DUPLICATE -> {
        return verdict.refusal();
      }
      case UNSEQUENCED -> {
        // A copy of it would be counted again.
        if (verifier != null && mode == SigningMode.REQUIRE && isOfGateway()) {
          return RejectReason.INVALID_SEQUENCE;
        }
      }
      default -> {}
    }
    if (verifier != null && check.outcome() == SignatureCheck.Outcome.EXPIRED) {
      return RejectReason.EXPIRED_KEY;
    }
    RejectReason ofGateway =
        permit.refusal(
            batch.bootId(), isProvenRedriven(record), verifier == null ? 0 : check.generation());
    return ofGateway == null ? verdict.refusal() : ofGateway;
  }

  /**
   * Whether a batch was sent again by those who may. Where nothing is signed, its header says so;
   * elsewhere a signature does, since senders can write headers.
   */
  boolean isProvenRedriven(Record<byte[], byte[]> record) {
    return verifier == null
        ? isMarkedRedriven(record)
        : check.outcome() == SignatureCheck.Outcome.REDRIVE;
  }

  static boolean isMarkedRedriven(Record<byte[], byte[]> record) {
    return record.headers().lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null;
  }

  /** The gateway that a record which is refused for its signature says it is of. */
  Optional<String> claimed(UndecodableException why) {
    return why.isNotProven() && !claimed.isEmpty() ? Optional.of(claimed) : Optional.empty();
  }
}
