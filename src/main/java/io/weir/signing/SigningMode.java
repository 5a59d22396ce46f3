package io.weir.signing;

/** What is asked of the batches on the readings topic. */
public enum SigningMode {
  /** Nothing: signatures are not looked at. */
  OFF,
  /** Signatures must be right where there are any; batches without are accepted and counted. */
  VERIFY,
  /** Every batch is signed, and has a boot id and a sequence. */
  REQUIRE
}
