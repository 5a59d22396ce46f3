package io.weir.signing;

/**
 * The result of verifying the signatures of a record.
 *
 * @param outcome whether it is signed, and by which gateway
 * @param generation generation of the gateway's key, expired or not; 0 if no gateway has signed
 * @param gatewayOffset offset in the value of the verified or claimed gateway id; -1 if there is
 *     none
 * @param gatewayLength its length
 */
public record SignatureCheck(
    Outcome outcome, int generation, int gatewayOffset, int gatewayLength) {
  /** The kind of signature. */
  public enum Outcome {
    /** There is no header. */
    UNSIGNED,
    /** Signed by the gateway. */
    GATEWAY,
    /** Signed by a redrive. */
    REDRIVE,
    /** No signature is valid for the gateway and this record. */
    BAD,
    /** The signature is valid, but its master key is not valid at the record's append time. */
    EXPIRED
  }
}
