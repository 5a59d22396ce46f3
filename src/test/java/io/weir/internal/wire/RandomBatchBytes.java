package io.weir.internal.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WireFormat;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Bytes of batches as any protobuf writer may write them: fields in any order, packed or not,
 * singular ones repeated, unknown ones in between.
 */
final class RandomBatchBytes {
  private static final String[] IDS = {"", "a", "b", "pump-7", "Fühler/λ", "𝕊-1", "x".repeat(300)};

  private final Random random;
  private final List<byte[]> fields = new ArrayList<>();

  private RandomBatchBytes(Random random) {
    this.random = random;
  }

  static byte[] next(Random random) throws IOException {
    return new RandomBatchBytes(random).batch();
  }

  private byte[] batch() throws IOException {
    RandomBatchBytes batch = new RandomBatchBytes(random);
    if (random.nextInt(4) > 0) {
      batch.text(ReadingBatch.GATEWAY_ID_FIELD_NUMBER);
    }
    if (random.nextBoolean()) {
      batch.field(out -> out.writeFixed64(ReadingBatch.BOOT_ID_FIELD_NUMBER, random.nextLong()));
    }
    if (random.nextBoolean()) {
      batch.field(out -> out.writeUInt64(ReadingBatch.SEQUENCE_FIELD_NUMBER, random.nextLong()));
    }
    int runs = random.nextInt(6);
    for (int run = 0; run < runs; run++) {
      if (random.nextBoolean()) {
        batch.message(ReadingBatch.SERIES_FIELD_NUMBER, series());
      } else {
        int rows = random.nextInt(4);
        for (int row = 0; row < rows; row++) {
          batch.message(ReadingBatch.READINGS_FIELD_NUMBER, row());
        }
      }
    }
    int entries = random.nextInt(3) == 0 ? random.nextInt(5) : 0;
    for (int entry = 0; entry < entries; entry++) {
      batch.message(ReadingBatch.COMPLETE_FIELD_NUMBER, completeness());
    }
    if (random.nextInt(3) == 0) {
      batch.field(
          out -> {
            out.writeTag(ReadingBatch.ORDERED_FIELD_NUMBER, WireFormat.WIRETYPE_VARINT);
            out.writeUInt64NoTag(random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(2));
          });
    }
    return batch.bytes();
  }

  private byte[] completeness() throws IOException {
    RandomBatchBytes entry = new RandomBatchBytes(random);
    entry.text(Completeness.SENSOR_ID_FIELD_NUMBER);
    entry.field(out -> out.writeInt64(Completeness.THROUGH_MS_FIELD_NUMBER, number()));
    if (random.nextInt(5) == 0) {
      entry.fields.remove(random.nextInt(entry.fields.size()));
    }
    return entry.bytes();
  }

  private byte[] row() throws IOException {
    RandomBatchBytes row = new RandomBatchBytes(random);
    row.text(Reading.SENSOR_ID_FIELD_NUMBER);
    row.field(out -> out.writeInt64(Reading.TIMESTAMP_MS_FIELD_NUMBER, number()));
    row.field(out -> out.writeDouble(Reading.VALUE_FIELD_NUMBER, value()));
    if (random.nextBoolean()) {
      row.field(out -> out.writeEnum(Reading.QUALITY_FIELD_NUMBER, quality()));
    }
    if (random.nextInt(5) == 0) {
      row.fields.remove(random.nextInt(row.fields.size()));
    }
    return row.bytes();
  }

  private byte[] series() throws IOException {
    RandomBatchBytes series = new RandomBatchBytes(random);
    series.text(Series.SENSOR_ID_FIELD_NUMBER);
    series.field(out -> out.writeInt64(Series.START_TIMESTAMP_MS_FIELD_NUMBER, number()));
    int count = random.nextInt(8);
    int values = random.nextInt(6) == 0 ? random.nextInt(8) : count;
    int qualities = random.nextInt(3) > 0 ? 0 : random.nextInt(5) == 0 ? 3 : count;
    series.column(
        Series.TIMESTAMP_DELTA_MS_FIELD_NUMBER,
        WireFormat.WIRETYPE_VARINT,
        count,
        out -> out.writeSInt64NoTag(number()));
    series.column(
        Series.VALUE_FIELD_NUMBER,
        WireFormat.WIRETYPE_FIXED64,
        values,
        out -> out.writeDoubleNoTag(value()));
    series.column(
        Series.QUALITY_FIELD_NUMBER,
        WireFormat.WIRETYPE_VARINT,
        qualities,
        out -> out.writeEnumNoTag(quality()));
    return series.bytes();
  }

  /** Packed, unpacked, or some of each. */
  private void column(int number, int wireType, int count, Writing element) throws IOException {
    int left = count;
    while (left > 0) {
      int some = 1 + random.nextInt(left);
      if (random.nextInt(3) == 0) {
        field(
            out -> {
              out.writeTag(number, wireType);
              element.to(out);
            });
        left--;
      } else {
        message(
            number,
            written(
                out -> {
                  for (int i = 0; i < some; i++) {
                    element.to(out);
                  }
                }));
        left -= some;
      }
    }
  }

  private void text(int number) throws IOException {
    field(out -> out.writeString(number, IDS[random.nextInt(IDS.length)]));
  }

  private void message(int number, byte[] bytes) throws IOException {
    field(out -> out.writeBytes(number, ByteString.copyFrom(bytes)));
  }

  private void field(Writing writing) throws IOException {
    fields.add(written(writing));
    if (random.nextInt(12) == 0) {
      fields.add(written(writing));
    }
    if (random.nextInt(12) == 0) {
      fields.add(unknown());
    }
  }

  private byte[] bytes() throws IOException {
    if (random.nextInt(3) == 0) {
      Collections.shuffle(fields, random);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    fields.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** A field of another number, or of another type than its number has. */
  private byte[] unknown() {
    UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
    int number = 1 + random.nextInt(8);
    switch (random.nextInt(4)) {
      case 0 -> field.addFixed32(random.nextInt());
      case 1 -> {
        number = 7;
        field.addLengthDelimited(ByteString.copyFromUtf8("?"));
      }
      case 2 -> {
        number = 300;
        field.addVarint(random.nextLong());
      }
      default ->
          field.addGroup(
              UnknownFieldSet.newBuilder()
                  .addField(4, UnknownFieldSet.Field.newBuilder().addVarint(5).build())
                  .build());
    }
    return UnknownFieldSet.newBuilder().addField(number, field.build()).build().toByteArray();
  }

  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextLong();
      case 1 -> -random.nextInt(1000);
      default -> 1 + random.nextInt(1_000_000);
    };
  }

  private double value() {
    return random.nextInt(8) == 0
        ? Double.longBitsToDouble(random.nextLong())
        : random.nextGaussian();
  }

  private int quality() {
    return random.nextInt(6) == 0 ? random.nextInt() : random.nextInt(5);
  }

  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }
}
