package io.weir.topology;

import io.weir.deadletter.DeadLetterHeaders;
import io.weir.deadletter.Origin;
import io.weir.reading.BatchVerdict;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RedrivenParts;
import io.weir.reading.RedrivenParts.Part;
import io.weir.reading.RedrivenParts.Source;
import io.weir.reading.RejectReason;
import io.weir.signing.BatchVerifier;
import io.weir.signing.SignatureCheck;
import io.weir.signing.SigningMode;
import io.weir.wire.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Verifies the signature of a record before it is decoded, and the gateway of the decoded batch
 * afterwards. Exists only if signatures are checked. Ticks and reset marks are not checked here: a
 * tick only moves log time, as any record does, and a reset mark must match its order. For one
 * thread.
 */
final class SenderCheck {
  private final SigningMode mode;
  private final BatchVerifier verifier;
  private final int partition;
  private final int maxIdBytes;
  private final Measures measures;
  private final MessageDigest sha256;
  private SignatureCheck check;
  private String claimed = "";

  /** Null where the batch is none. */
  private Part part;

  /**
   * @param verifier one for all tasks of a thread
   * @param maxIdBytes longest gateway id that a dead letter names
   */
  SenderCheck(
      SigningMode mode, BatchVerifier verifier, int partition, int maxIdBytes, Measures measures) {
    this.mode = mode;
    this.verifier = verifier;
    this.partition = partition;
    this.maxIdBytes = maxIdBytes;
    this.measures = measures;
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
        measures.unsigned();
      }
      default -> {}
    }
  }

  /**
   * Checks that a batch is the gateway's that has signed: a field that is there twice means its
   * first value to one reader and its last to another.
   *
   * @throws UndecodableException where it is another's
   */
  void requireSame(ReadingColumns batch) throws UndecodableException {
    boolean same =
        batch.gatewayOffset() == check.gatewayOffset()
            && batch.gatewayLength() == check.gatewayLength();
    if (isOfGateway() && !same) {
      throw UndecodableException.notProven(RejectReason.BAD_SIGNATURE);
    }
  }

  /** Whether a batch has to have a sequence: without one, a copy of it would be counted again. */
  boolean requiresSequence() {
    return mode == SigningMode.REQUIRE && isOfGateway();
  }

  private boolean isOfGateway() {
    return check.generation() > 0;
  }

  /** Whether the signature is right, and its key holds no more, or not yet. */
  boolean isExpired() {
    return check.outcome() == SignatureCheck.Outcome.EXPIRED;
  }

  /** The generation of the gateway's key; 0 where the gateway has not signed. */
  int keyGeneration() {
    return check.generation();
  }

  /** Whether the batch was sent again by those who may: a header alone proves nothing. */
  boolean isRedriven() {
    return check.outcome() == SignatureCheck.Outcome.REDRIVE;
  }

  /**
   * What a batch without a sequence is: a part of a dead letter or late record, which its signature
   * covers, counts once.
   */
  BatchVerdict judge(Record<byte[], byte[]> record, RedrivenParts parts) {
    part = null;
    if (!isRedriven()) {
      return BatchVerdict.UNSEQUENCED;
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
    BatchVerdict verdict = parts.judge(part);
    return verdict == BatchVerdict.NEW ? BatchVerdict.UNSEQUENCED : verdict;
  }

  /** What was judged last is taken. */
  void apply(RedrivenParts parts) {
    if (part != null) {
      parts.apply(part);
    }
  }

  static boolean isMarkedRedriven(Headers headers) {
    return headers.lastHeader(DeadLetterHeaders.REDRIVE_TOPIC) != null;
  }

  /** The gateway that the record says it is of; nobody has proven it. */
  Optional<String> claimed() {
    return claimed.isEmpty() ? Optional.empty() : Optional.of(claimed);
  }
}
