package io.weir.internal.collect;

/**
 * A row of weir_outbox; null columns are null. Texts that are certainly too long are truncated.
 *
 * @param xact 64 bits, unsigned
 * @param event as text; null also if it is too large
 * @param expiresMs end of its validity
 * @param expired whether it had expired at the read: then it is not sent
 */
record OutboxRow(
    long id,
    long xact,
    String sensorId,
    Long timestampMs,
    Double value,
    Integer quality,
    String key,
    String event,
    boolean eventTooLarge,
    Long expiresMs,
    boolean expired) {
  private static final int FIXED_BYTES = 64;

  /** Approximate size in memory and in a batch. */
  int bytes() {
    return FIXED_BYTES + length(sensorId) + length(key) + length(event);
  }

  private static int length(String text) {
    return text == null ? 0 : text.length();
  }

  Cursor cursor() {
    return new Cursor(xact, id);
  }
}
