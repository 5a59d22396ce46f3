package io.weir.reading;

/**
 * The rules that depend on the reading alone; the gateway, the text parsers and the topology use
 * them. Stateless and allocation-free.
 */
public final class ReadingRules {
  private ReadingRules() {}

  /**
   * The first reason why a reading is refused, or null.
   *
   * @param idBytes length of the sensor id in UTF-8 bytes
   * @param maxIdBytes longest one allowed
   */
  public static RejectReason refusal(int idBytes, long timestampMs, double value, int maxIdBytes) {
    RejectReason ofId = refusalOfId(idBytes, maxIdBytes);
    if (ofId != null) {
      return ofId;
    }
    return refusalOfReading(timestampMs, value);
  }

  /** The reason why a reading is refused regardless of its sensor, or null. */
  public static RejectReason refusalOfReading(long timestampMs, double value) {
    if (!Double.isFinite(value)) {
      return RejectReason.INVALID_VALUE;
    }
    return timestampMs > 0 ? null : RejectReason.INVALID_TIMESTAMP;
  }

  /** The reason why a sensor id of that many bytes is refused, or null. */
  public static RejectReason refusalOfId(int idBytes, int maxIdBytes) {
    if (idBytes == 0) {
      return RejectReason.MISSING_SENSOR_ID;
    }
    return idBytes > maxIdBytes ? RejectReason.SENSOR_ID_TOO_LONG : null;
  }
}
