package io.weir.internal.store;

import io.weir.internal.window.durable.WindowChanges;

/**
 * What changed of many sensors and gateways since each was last written, as bytes: a column for
 * each thing that is said of them, since what is alike compresses best where it is together.
 * Numbers are protobuf varints.
 *
 * <pre>
 * record      format | number of the record | how many slots the ring has
 *             | window size in ms | base time in ms, zigzag
 *             | numbers of sensors that were deleted: how many | each less the one before, zigzag
 *             | how many sensors changed | numbers of gateways that were deleted, as of sensors
 *             | how many gateways changed | length in bytes of each column | the columns
 * columns     1 number of the sensor less that of the one before, zigzag
 *             2 number of this record less that of the one that the sensor was last written with
 *             3 flags of its times, as in {@link SensorCodec}
 *             4 last active less that of the sensor before, zigzag; of the first less base
 *             5 watermark less last active, zigzag
 *             6 evicted through, attested through, known from, each less watermark, zigzag;
 *               of hopping windows the length | known from, less watermark, zigzag;
 *               withheld windows evicted through, less watermark, zigzag
 *             7 number of its newest windows | each: (start - base) / window size, zigzag
 *               | kind (0 unchanged, 1 head, 2 head and one reading, 3 whole, 4 to 10 head and
 *               two to eight readings)
 *             8 heads of windows ({@link WindowCodec})
 *             9 readings ({@link DecimalCodec})
 *            10 aggregates ({@link AggregateCodec})
 *            11 gateways ({@link GatewayChange})
 * </pre>
 *
 * <p>Readings are all that a window took since it was last written: added to what was kept, they
 * give what was in memory, bit for bit.
 */
final class ChangeRecord {
  /** The columns in their order. */
  enum Column {
    SENSORS,
    RECORDS,
    FLAGS,
    ACTIVE,
    WATERMARKS,
    TIMES,
    WINDOWS,
    HEADS,
    READINGS,
    AGGREGATES,
    GATEWAYS
  }

  /** How a window is written. */
  static final int UNCHANGED = 0;

  static final int HEAD = 1;
  static final int ONE_READING = 2;
  static final int WHOLE = 3;

  /** With the number of readings: how a window that took two or more is written. */
  static final int READINGS = 2;

  /** With as many readings as are written one by one. */
  static final int MOST_KIND = READINGS + WindowChanges.MOST_READINGS;

  private ChangeRecord() {}
}
