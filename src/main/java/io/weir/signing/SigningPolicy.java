package io.weir.signing;

import java.util.List;

/**
 * The signing mode, and the master keys that verify signatures and sign what Weir writes itself.
 * Immutable.
 *
 * @param masters may be empty if the mode is OFF
 */
public record SigningPolicy(SigningMode mode, MasterKeys masters) {
  /** Signatures are ignored. */
  public static final SigningPolicy OFF =
      new SigningPolicy(SigningMode.OFF, MasterKeys.of(List.of()));

  public boolean isOn() {
    return mode != SigningMode.OFF;
  }
}
