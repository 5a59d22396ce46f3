package io.weir.signing;

/**
 * What the signature of a record says.
 *
 * @param outcome whether it is signed, and by which gateway
 * @param generation of the gateway's key, expired or not; 0 where no gateway has signed
 * @param gatewayOffset where in the value the id of the gateway lies that was proven, or claimed;
 *     -1 where none is to be found
 * @param gatewayLength its length
 */
public record SignatureCheck(
    Outcome outcome, int generation, int gatewayOffset, int gatewayLength) {
  /** Who has signed. */
  public enum Outcome {
    /** Nobody: there is no header. */
    UNSIGNED,
    /** The gateway. */
    GATEWAY,
    /** Those who send again what was refused. */
    REDRIVE,
    /** None of the signatures is one of the gateway over this record. */
    BAD,
    /** The signature is right, but its master key does not hold at the record's append time. */
    EXPIRED
  }
}
