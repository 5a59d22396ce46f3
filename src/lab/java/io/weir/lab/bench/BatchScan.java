package io.weir.lab.bench;

import static com.google.protobuf.WireFormat.WIRETYPE_FIXED64;
import static com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED;
import static com.google.protobuf.WireFormat.WIRETYPE_VARINT;

import com.google.protobuf.CodedInputStream;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes batches without an object for each reading, as an expert's job does, straight into the
 * windows of a partition. For one thread.
 *
 * @param <S> a sensor
 */
public final class BatchScan<S> {
  private static final int FIRST_LENGTH = 1024;

  /**
   * Where readings are added up.
   *
   * @param <S> a sensor
   */
  public interface Windows<S> {
    /** The sensor of an id that lies in these bytes. */
    S sensor(byte[] bytes, int from, int length);

    /** Whether a reading was counted; if not it is late. */
    boolean add(S sensor, long ms, double value);
  }

  private long[] deltas = new long[FIRST_LENGTH];
  private double[] values = new double[FIRST_LENGTH];
  private int[] qualities = new int[FIRST_LENGTH];
  private long counted;
  private long late;

  /** Readings of the last batch that were counted. */
  public long counted() {
    return counted;
  }

  /** Readings of the last batch that were late. */
  public long late() {
    return late;
  }

  /** Adds the readings of a batch. */
  public void addTo(Windows<S> partition, byte[] batch) throws IOException {
    counted = 0;
    late = 0;
    CodedInputStream in = CodedInputStream.newInstance(batch);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == tag(ReadingBatch.READINGS_FIELD_NUMBER, WIRETYPE_LENGTH_DELIMITED)) {
        int outer = in.pushLimit(in.readRawVarint32());
        reading(partition, batch, in);
        in.popLimit(outer);
      } else if (tag == tag(ReadingBatch.SERIES_FIELD_NUMBER, WIRETYPE_LENGTH_DELIMITED)) {
        int outer = in.pushLimit(in.readRawVarint32());
        series(partition, batch, in);
        in.popLimit(outer);
      } else {
        in.skipField(tag);
      }
    }
  }

  private static int tag(int field, int wireType) {
    return field << 3 | wireType;
  }

  private void reading(Windows<S> partition, byte[] batch, CodedInputStream in) throws IOException {
    int idFrom = 0;
    int idLength = 0;
    long ms = 0;
    double value = 0;
    int quality = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case Reading.SENSOR_ID_FIELD_NUMBER << 3 | WIRETYPE_LENGTH_DELIMITED -> {
          idLength = in.readRawVarint32();
          idFrom = in.getTotalBytesRead();
          in.skipRawBytes(idLength);
        }
        case Reading.TIMESTAMP_MS_FIELD_NUMBER << 3 | WIRETYPE_VARINT -> ms = in.readInt64();
        case Reading.VALUE_FIELD_NUMBER << 3 | WIRETYPE_FIXED64 -> value = in.readDouble();
        case Reading.QUALITY_FIELD_NUMBER << 3 | WIRETYPE_VARINT -> quality = in.readEnum();
        default -> in.skipField(tag);
      }
    }
    if (quality != Quality.QUALITY_BAD_VALUE) {
      add(partition, partition.sensor(batch, idFrom, idLength), ms, value);
    }
  }

  private void add(Windows<S> partition, S sensor, long ms, double value) {
    if (partition.add(sensor, ms, value)) {
      counted++;
    } else {
      late++;
    }
  }

  private void series(Windows<S> partition, byte[] batch, CodedInputStream in) throws IOException {
    int idFrom = 0;
    int idLength = 0;
    long ms = 0;
    int times = 0;
    int size = 0;
    int graded = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case Series.SENSOR_ID_FIELD_NUMBER << 3 | WIRETYPE_LENGTH_DELIMITED -> {
          idLength = in.readRawVarint32();
          idFrom = in.getTotalBytesRead();
          in.skipRawBytes(idLength);
        }
        case Series.START_TIMESTAMP_MS_FIELD_NUMBER << 3 | WIRETYPE_VARINT -> ms = in.readInt64();
        case Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER << 3 | WIRETYPE_LENGTH_DELIMITED -> {
          int outer = in.pushLimit(in.readRawVarint32());
          while (in.getBytesUntilLimit() > 0) {
            time(times++, in.readSInt64());
          }
          in.popLimit(outer);
        }
        case Series.VALUE_FIELD_NUMBER << 3 | WIRETYPE_LENGTH_DELIMITED -> {
          int length = in.readRawVarint32();
          for (int i = 0; i < length / Double.BYTES; i++) {
            value(size++, in.readDouble());
          }
        }
        case Series.QUALITY_FIELD_NUMBER << 3 | WIRETYPE_LENGTH_DELIMITED -> {
          int outer = in.pushLimit(in.readRawVarint32());
          while (in.getBytesUntilLimit() > 0) {
            quality(graded++, in.readEnum());
          }
          in.popLimit(outer);
        }
        default -> in.skipField(tag);
      }
    }
    if (times != size || graded != 0 && graded != size) {
      throw new IOException("columns of different lengths");
    }
    S sensor = partition.sensor(batch, idFrom, idLength);
    for (int i = 0; i < size; i++) {
      ms += deltas[i];
      if (graded == 0 || qualities[i] != Quality.QUALITY_BAD_VALUE) {
        add(partition, sensor, ms, values[i]);
      }
    }
  }

  private void time(int i, long delta) {
    if (i == deltas.length) {
      deltas = Arrays.copyOf(deltas, 2 * i);
    }
    deltas[i] = delta;
  }

  private void value(int i, double value) {
    if (i == values.length) {
      values = Arrays.copyOf(values, 2 * i);
    }
    values[i] = value;
  }

  private void quality(int i, int quality) {
    if (i == qualities.length) {
      qualities = Arrays.copyOf(qualities, 2 * i);
    }
    qualities[i] = quality;
  }
}
