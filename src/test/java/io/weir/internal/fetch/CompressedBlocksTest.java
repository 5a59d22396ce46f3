package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.Seeds;
import io.weir.lab.RawBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches of every codec, compared with what they become. */
class CompressedBlocksTest {
  private static final int LIMIT = 1 << 20;
  private static final int MOST_OF_RECORD = 1 << 19;

  @ParameterizedTest
  @EnumSource(
      value = CompressionType.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void zeros_beyondTheLimit_areReplacedByAMarker_andThoseWithin_areNot(CompressionType type)
      throws IOException {
    Compression codec = Compression.of(type).build();
    MemoryRecords within = RawBatch.ofZeros(codec, 3, LIMIT / 3 - 100);
    MemoryRecords beyond = RawBatch.ofZeros(codec, 3, LIMIT / 3 + 100);
    BatchCheck check = new BatchCheck(LIMIT, MOST_OF_RECORD);
    assertThat(check.checked(within)).isSameAs(within);
    MemoryRecords recordWithin = RawBatch.ofZeros(codec, 1, MOST_OF_RECORD - 100);
    MemoryRecords recordBeyond = RawBatch.ofZeros(codec, 1, MOST_OF_RECORD + 1);
    assertThat(check.checked(recordWithin)).isSameAs(recordWithin);
    assertThat(check.checked(recordBeyond)).isNotSameAs(recordBeyond);
    Record marker = check.checked(beyond).records().iterator().next();
    assertThat(marker.offset()).isEqualTo(2);
    assertThat(marker.hasKey() || marker.hasValue()).isFalse();
    assertThat(OversizedBatch.of(null, new RecordHeaders(marker.headers())))
        .contains(new OversizedBatch(0, 2));
  }

  @Test
  void neighboursOfAnOversizedBatch_stayAsTheyAre() throws IOException {
    MemoryRecords good = batch(CompressionType.LZ4, 0, new byte[1000], new byte[2000]);
    MemoryRecords bomb = RawBatch.ofZeros(Compression.zstd().build(), 1, 500_000_000);
    assertThat(bomb.sizeInBytes()).isLessThan(20_000);
    bomb.batches().iterator().next().setLastOffset(2);
    MemoryRecords after = batch(CompressionType.NONE, 3, new byte[10]);
    MemoryRecords checked =
        new BatchCheck(LIMIT, MOST_OF_RECORD).checked(joined(good, bomb, after));
    assertThat(checked.records())
        .extracting(Record::offset, Record::valueSize)
        .containsExactly(tuple(0L, 1000), tuple(1L, 2000), tuple(2L, -1), tuple(3L, 10));
    for (MutableRecordBatch each : checked.batches()) {
      each.ensureValid();
    }
  }

  /** Random values of every ratio: the bound is never below the true size, nor far above it. */
  @ParameterizedTest
  @EnumSource(
      value = CompressionType.class,
      names = {"SNAPPY", "LZ4", "ZSTD"})
  void bound_isAtLeastTheSize(CompressionType type) {
    Seeds.forEach(
        50,
        random -> {
          byte[] value = new byte[random.nextInt(400_000)];
          for (int at = 0; at < value.length; at++) {
            value[at] = random.nextInt(1 + at / 40_000) == 0 ? (byte) random.nextInt() : 7;
          }
          MemoryRecords records = batch(type, 0, value, new byte[random.nextInt(100_000)]);
          ByteBuffer bytes = records.buffer().order(ByteOrder.LITTLE_ENDIAN);
          bytes.position(61);
          long bound =
              switch (type) {
                case ZSTD -> CompressedBlocks.mostBytesOfZstd(bytes);
                case SNAPPY -> CompressedBlocks.mostBytesOfSnappy(bytes);
                default -> CompressedBlocks.mostBytesOfLz4(bytes);
              };
          long actual = 0;
          for (Record record : records.records()) {
            actual += record.sizeInBytes();
          }
          assertThat(bound).isBetween(actual, actual + (256 << 10));
        });
  }

  @Test
  void bytesThatAreNoCompressedData_areReplaced() throws IOException {
    Random random = new Random(7);
    for (CompressionType type : CompressionType.values()) {
      if (type == CompressionType.NONE) {
        continue;
      }
      MemoryRecords batch = RawBatch.ofZeros(Compression.of(type).build(), 1, 40_000_000);
      ByteBuffer bytes = batch.buffer();
      for (int at = 61; at < bytes.limit(); at++) {
        bytes.put(at, (byte) random.nextInt());
      }
      assertThat(new BatchCheck(1, 1).checked(batch)).isNotSameAs(batch);
    }
  }

  private static MemoryRecords batch(CompressionType type, long firstOffset, byte[]... values) {
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20),
            Compression.of(type).build(),
            TimestampType.CREATE_TIME,
            firstOffset);
    for (byte[] value : values) {
      builder.append(1, null, value);
    }
    return builder.build();
  }

  private static MemoryRecords joined(MemoryRecords... parts) {
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    for (MemoryRecords part : parts) {
      all.put(part.buffer());
    }
    return MemoryRecords.readableRecords(all.flip());
  }
}
