package io.weir.collect;

/**
 * A row of weir_outbox; null where a column is. Texts that are too long are cut where that is sure.
 *
 * @param xact 64 bits without sign
 * @param event as text; null also where it is too large
 * @param expiresMs up to when it is of use
 * @param expired whether that was over when it was read: then it is not sent
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

  /** About what it takes in memory and in a batch. */
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
