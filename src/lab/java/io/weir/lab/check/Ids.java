package io.weir.lab.check;

import io.weir.reading.Limits;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Ids of gateways and sensors. */
final class Ids {
  private static final int MAX_SHOWN_CHARS = 60;

  private Ids() {}

  /** Why an id is none; empty where it is one. */
  static Optional<String> fault(String field, String id) {
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0) {
      return Optional.of(field + " is empty");
    }
    return bytes <= Limits.DEFAULT.maxIdBytes()
        ? Optional.empty()
        : Optional.of(field + " of " + bytes + " bytes: " + shown(id));
  }

  /** An id as it can be in a line: in quotes, short, without control characters. */
  static String shown(String id) {
    String safe = id.replaceAll("\\p{Cntrl}", "?");
    return safe.length() <= MAX_SHOWN_CHARS
        ? '"' + safe + '"'
        : '"' + safe.substring(0, MAX_SHOWN_CHARS) + "...\"";
  }
}
