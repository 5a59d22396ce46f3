package io.weir.peers;

import static com.google.protobuf.WireFormat.WIRETYPE_FIXED64;
import static com.google.protobuf.WireFormat.WIRETYPE_LENGTH_DELIMITED;
import static com.google.protobuf.WireFormat.WIRETYPE_VARINT;

import com.google.protobuf.CodedInputStream;
import io.weir.peers.ChainedPartition.Sensor;
import io.weir.v1.Quality;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.IOException;
import java.util.Arrays;

/** Decodes batches without an object for each reading, straight into the windows of a partition. */
final class BatchColumns {
  private static final int FIRST_LENGTH = 1024;

  private long[] deltas = new long[FIRST_LENGTH];
  private double[] values = new double[FIRST_LENGTH];
  private int[] qualities = new int[FIRST_LENGTH];
  private long counted;
  private long late;

  /** Readings of the last batch that were counted. */
  long counted() {
    return counted;
  }

  /** Readings of the last batch that were late. */
  long late() {
    return late;
  }

  void addTo(ChainedPartition partition, byte[] batch) throws IOException {
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

  private void reading(ChainedPartition partition, byte[] batch, CodedInputStream in)
      throws IOException {
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

  private void add(ChainedPartition partition, Sensor sensor, long ms, double value) {
    if (partition.add(sensor, ms, value)) {
      counted++;
    } else {
      late++;
    }
  }

  private void series(ChainedPartition partition, byte[] batch, CodedInputStream in)
      throws IOException {
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
    Sensor sensor = partition.sensor(batch, idFrom, idLength);
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
