package io.weir.reading;

/**
 * Why a record, batch or reading is refused, in the order of the checks: the first that applies is
 * reported. The check for duplicates follows {@link #INVALID_SEQUENCE}; as a dead letter, a
 * duplicate could be redriven and count twice. The names are in the dead letters' {@code
 * weir.reason} header.
 */
public enum RejectReason {
  /** Not signed, although signatures are required. */
  UNSIGNED(Scope.RECORD, "the batch has no signature, and weir.signing=require"),
  /** No valid signature of its gateway over these bytes; or it names two gateways. */
  BAD_SIGNATURE(
      Scope.RECORD,
      "no signature of this record is valid for its gateway and partition, or it names two"
          + " gateways"),
  /** Neither bare protobuf nor a known frame, or beyond the limits of depth, size or length. */
  UNDECODABLE(
      Scope.RECORD, "the value is neither bare protobuf nor a known frame, or exceeds a limit"),
  /** Framed with a schema that the registry does not have, or that is not ReadingBatch. */
  UNKNOWN_SCHEMA(
      Scope.RECORD,
      "the registry does not have the schema id of the frame, or the schema is not ReadingBatch"),
  /** A mark without an operator's order. */
  UNKNOWN_RESET(
      Scope.RECORD,
      "a mark of a reset or deletion without an order on weir.control: a client forges it"),
  /** A gateway id that is empty although there is a boot id, or that is too long. */
  INVALID_GATEWAY(Scope.BATCH, "gateway_id is empty although there is a boot_id, or too long"),
  /**
   * A boot id without a sequence, one of them 2^63 or more, or a jump of more than 2^20; or
   * neither, although signatures are required.
   */
  INVALID_SEQUENCE(
      Scope.BATCH,
      "a boot_id without a sequence, one of them 2^63 or more, or a jump of more than 2^20; "
          + "or neither with weir.signing=require"),
  /** Signed with a key whose master is not valid at the append time. */
  EXPIRED_KEY(Scope.BATCH, "signed with a key whose master is not valid at the append time"),
  /** The gateway is revoked, or its boot id or key is below the minimum. */
  REVOKED(
      Scope.BATCH,
      "weir.gateways.file revokes the gateway or requires a higher boot id or key generation"),
  /**
   * A boot id whose clock time is later than the latest append time by more than the allowed skew.
   */
  FUTURE_BOOT(
      Scope.BATCH,
      "the time in boot_id is later than the append time by more than max.future.skew"),
  /** A new gateway beyond the partition's limit. */
  TOO_MANY_GATEWAYS(Scope.BATCH, "a new gateway, and the partition has reached max.gateways"),
  /** A boot id at or below the gateway's highest evicted one. */
  FENCED(Scope.BATCH, "boot_id is at or below an evicted one; the four newest are kept"),
  /** Below the sequences that are tracked individually. */
  STALE_SEQUENCE(
      Scope.BATCH,
      "sequence is below the 1,024 newest, or a redriven dead letter is below the 10,000 newest"),
  /** More new windows than a batch may open. */
  TOO_MANY_WINDOWS(Scope.BATCH, "the batch opens more windows than max.batch.windows"),
  MISSING_SENSOR_ID(Scope.READING, "sensor_id is empty"),
  SENSOR_ID_TOO_LONG(Scope.READING, "sensor_id is longer than max.id.bytes"),
  /** NaN or infinite. */
  INVALID_VALUE(Scope.READING, "value is NaN or infinite"),
  /** Not positive; or of a series whose lengths differ or whose deltas overflow. */
  INVALID_TIMESTAMP(
      Scope.READING,
      "timestamp_ms is not positive, or the series' lengths disagree or its deltas overflow"),
  /** Later than the latest append time by more than the allowed skew. */
  FUTURE_TIMESTAMP(
      Scope.READING, "timestamp_ms is later than the append time by more than max.future.skew"),
  /** The sensor belongs to another partition. */
  MISROUTED(Scope.READING, "the sensor belongs to another partition"),
  /** The gateway may not publish the sensor; if it may publish none, its whole batch is refused. */
  NOT_ITS_SENSOR(
      Scope.READING, "weir.gateways.file does not allow the gateway to publish the sensor"),
  /** A new sensor beyond the limit of the partition or the gateway. */
  TOO_MANY_SENSORS(
      Scope.READING,
      "a new sensor, and the partition has reached max.sensors, or the gateway"
          + " max.sensors.per.gateway"),
  /**
   * The window may lack readings that were deleted before they were read. Written to the late
   * topic, not to the dead letters.
   */
  WITHHELD(Scope.READING, "the window may lack readings that were deleted before they were read");

  /** The scope of a reason. */
  public enum Scope {
    /** A record whose readings cannot be decoded. */
    RECORD,
    /** A batch with all its readings. */
    BATCH,
    /** One reading; the others of its batch count. */
    READING
  }

  private final Scope scope;
  private final String meaning;

  RejectReason(Scope scope, String meaning) {
    this.scope = scope;
    this.meaning = meaning;
  }

  /** A description of the reason for operators. */
  public String meaning() {
    return meaning;
  }

  public Scope scope() {
    return scope;
  }
}
