package io.weir.internal.sink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A row in the binary form of <a
 * href="https://www.postgresql.org/docs/current/sql-copy.html">COPY</a>: the number of columns as 2
 * bytes, then of each column its length as 4 bytes, -1 for null, and its value. All numbers are
 * big-endian. Not safe for several threads.
 */
final class RowEncoder {
  /** 2000-01-01T00:00Z, the epoch of PostgreSQL. */
  private static final long EPOCH_MS = 946_684_800_000L;

  private static final long MICROS_PER_MS = 1_000;
  private static final int JSONB_VERSION = 1;
  private static final int FLOAT8_OID = 701;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes = new byte[512];
  private int length;
  private int columns;
  private int keyColumns;
  private int keyEnd;
  private int written;

  /** Begins a row of a table. */
  void begin(Table table) {
    columns = table.columns().size();
    keyColumns = table.keyColumns();
    length = 0;
    written = 0;
    SHORT.set(room(Short.BYTES), length, (short) columns);
    length += Short.BYTES;
  }

  void text(String value) {
    variable(value.getBytes(StandardCharsets.UTF_8));
  }

  /** JSON text without line breaks. */
  void jsonb(String json) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    field(1 + utf8.length);
    bytes[length++] = JSONB_VERSION;
    System.arraycopy(utf8, 0, bytes, length, utf8.length);
    length += utf8.length;
    end();
  }

  void int8(long value) {
    field(Long.BYTES);
    LONG.set(bytes, length, value);
    length += Long.BYTES;
    end();
  }

  void int4(int value) {
    field(Integer.BYTES);
    INT.set(bytes, length, value);
    length += Integer.BYTES;
    end();
  }

  void uuid(UUID value) {
    field(2 * Long.BYTES);
    LONG.set(bytes, length, value.getMostSignificantBits());
    LONG.set(bytes, length + Long.BYTES, value.getLeastSignificantBits());
    length += 2 * Long.BYTES;
    end();
  }

  /** Preserves every bit. */
  void float8(double value) {
    int8(Double.doubleToRawLongBits(value));
  }

  /** An array of one dimension, every bit of each value. */
  void float8s(List<Double> values) {
    int head = 5 * Integer.BYTES;
    ByteBuffer array = ByteBuffer.allocate(head + values.size() * (Integer.BYTES + Double.BYTES));
    array.putInt(1).putInt(0).putInt(FLOAT8_OID).putInt(values.size()).putInt(1);
    values.forEach(value -> array.putInt(Double.BYTES).putDouble(value));
    variable(array.array());
  }

  void bool(boolean value) {
    field(1);
    bytes[length++] = (byte) (value ? 1 : 0);
    end();
  }

  /**
   * @param ms since the Unix epoch, in the years 1 to 9999
   */
  void timestamp(long ms) {
    int8(Math.multiplyExact(Math.subtractExact(ms, EPOCH_MS), MICROS_PER_MS));
  }

  void nothing() {
    INT.set(room(Integer.BYTES), length, -1);
    length += Integer.BYTES;
    end();
  }

  void nothing(int times) {
    for (int i = 0; i < times; i++) {
      nothing();
    }
  }

  private void variable(byte[] value) {
    field(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    end();
  }

  /** The key's columns of the row. */
  byte[] key() {
    return Arrays.copyOfRange(bytes, Short.BYTES, keyEnd);
  }

  /** The row, with all its columns. */
  byte[] row() {
    if (written != columns) {
      throw new IllegalStateException(written + " of " + columns + " columns");
    }
    return Arrays.copyOf(bytes, length);
  }

  /** A row with an int4 before its other columns. */
  static byte[] numbered(int number, byte[] row) {
    byte[] numbered = new byte[row.length + 2 * Integer.BYTES];
    SHORT.set(numbered, 0, (short) ((short) SHORT.get(row, 0) + 1));
    INT.set(numbered, Short.BYTES, Integer.BYTES);
    INT.set(numbered, Short.BYTES + Integer.BYTES, number);
    int head = Short.BYTES + 2 * Integer.BYTES;
    System.arraycopy(row, Short.BYTES, numbered, head, row.length - Short.BYTES);
    return numbered;
  }

  private void field(int size) {
    INT.set(room(Integer.BYTES + size), length, size);
    length += Integer.BYTES;
  }

  private void end() {
    written++;
    if (written == keyColumns) {
      keyEnd = length;
    }
  }

  private byte[] room(int size) {
    if (bytes.length - length < size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + size));
    }
    return bytes;
  }
}
