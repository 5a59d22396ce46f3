package io.weir.signing;

/** How signatures of batches of readings and of events are checked. */
public enum SigningMode {
  /** Signatures are ignored. */
  OFF,
  /** Signatures must be valid; batches without a signature are accepted and counted. */
  VERIFY,
  /** Every batch must have a valid signature, a boot id and a sequence. */
  REQUIRE
}
