package io.weir.signing;

import java.util.List;

/**
 * What is asked of batches, and the masters to check it with. Immutable.
 *
 * @param masters none where the mode is OFF
 */
public record SigningPolicy(SigningMode mode, MasterKeys masters) {
  /** Nothing is asked. */
  public static final SigningPolicy OFF =
      new SigningPolicy(SigningMode.OFF, MasterKeys.of(List.of()));

  public boolean isOn() {
    return mode != SigningMode.OFF;
  }
}
