package io.weir.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.weir.Seeds;
import io.weir.reading.Limits;
import io.weir.reading.ReadingColumns;
import io.weir.reading.RejectReason;
import io.weir.v1.Completeness;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against the classes that protoc generates, unknown fields discarded: kept ones are read, and
 * reading takes some overlong varints that skipping refuses.
 */
class BatchDecoderTest {
  private static final Parser<ReadingBatch> PARSER =
      DiscardUnknownFieldsParser.wrap(ReadingBatch.parser());

  /** Damaged batches that are tried; {@code -Dweir.inputs=50000000} for a long run. */
  private static final int DAMAGED_INPUTS = Integer.getInteger("weir.inputs", 40_000);

  private static final int DAMAGED_OF_ONE = 20;

  private final BatchDecoder decoder = new BatchDecoder(Limits.DEFAULT);

  @Test
  void anyBatch_asTheGeneratedClassesReadIt() {
    Seeds.forEach(4000, random -> assertAgrees(RandomBatchBytes.next(random)));
  }

  @Test
  void anyDamagedBatch_refusedExactlyWhereTheGeneratedClassesRefuse() {
    Seeds.forEach(
        DAMAGED_INPUTS / DAMAGED_OF_ONE,
        random -> {
          byte[] bytes = RandomBatchBytes.next(random);
          byte[] other = RandomBatchBytes.next(random);
          for (int i = 0; i < DAMAGED_OF_ONE; i++) {
            assertAgrees(DamagedBytes.of(bytes, other, random));
          }
        });
  }

  private void assertAgrees(byte[] bytes) {
    if (bytes.length > 0 && bytes[0] == 0) {
      return;
    }
    ReadingBatch expected = null;
    try {
      expected = PARSER.parseFrom(bytes);
    } catch (InvalidProtocolBufferException refused) {
      // Then the decoder is to refuse it too.
    }
    String described;
    try {
      described = BatchText.of(decoder.decode(bytes));
    } catch (UndecodableException e) {
      assertThat(e.reason()).isEqualTo(RejectReason.UNDECODABLE);
      described = null;
    }
    String wanted = expected == null ? null : BatchText.of(expected);
    if (!Objects.equals(described, wanted)) {
      assertThat(described).as(HexFormat.of().formatHex(bytes)).isEqualTo(wanted);
    }
  }

  private void assertUndecodable(byte[] bytes) {
    assertThatThrownBy(() -> decoder.decode(bytes))
        .isInstanceOfSatisfying(
            UndecodableException.class,
            e -> assertThat(e.reason()).isEqualTo(RejectReason.UNDECODABLE));
  }

  @Test
  void noValue_undecodable() {
    assertUndecodable(null);
  }

  @Test
  void emptyValue_isABatchWithoutReadings() throws UndecodableException {
    ReadingColumns columns = decoder.decode(new byte[0]);
    assertThat(columns.readings()).isZero();
    assertThat(columns.gatewayId()).isEmpty();
  }

  /** Start-group tags of an unknown field, of readings, and end-group tags that never began. */
  @ParameterizedTest
  @ValueSource(ints = {0x3b, 0x33, 0x23, 0x0b, 0x24})
  void groupsNestedWithoutEnd_undecodableWithoutOverflowingTheStack(int tag) {
    byte[] bytes = new byte[1 << 20];
    Arrays.fill(bytes, (byte) tag);
    assertUndecodable(bytes);
  }

  @ParameterizedTest
  @ValueSource(bytes = {0x22, 0x32})
  void groupsInsideARowOrAnEntry_undecodableWithoutOverflowingTheStack(byte message) {
    byte[] deep = new byte[(1 << 20) - 10];
    Arrays.fill(deep, (byte) 0x3b);
    byte[] start = {message, (byte) 0xf6, (byte) 0xff, 0x3f};
    byte[] bytes = Arrays.copyOf(start, 1 << 20);
    System.arraycopy(deep, 0, bytes, start.length, deep.length);
    assertUndecodable(bytes);
  }

  /** Length-delimited fields that claim two gigabytes, or less than nothing. */
  @Test
  void lengthsThatLie_undecodable() {
    for (int tag : new int[] {0x0a, 0x22, 0x2a, 0x32, 0x3a}) {
      assertUndecodable(
          new byte[] {(byte) tag, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07});
      assertUndecodable(
          new byte[] {(byte) tag, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f});
    }
    for (int message : new int[] {0x22, 0x2a, 0x32}) {
      for (int inner : new int[] {0x0a, 0x1a, 0x22, 0x2a, 0x3a}) {
        assertUndecodable(
            new byte[] {
              (byte) message, 6, (byte) inner, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7
            });
      }
    }
  }

  @Test
  void recordLargerThanAllowed_undecodable() throws UndecodableException {
    BatchDecoder small = new BatchDecoder(new Limits(10, 100, 256));
    byte[] ten = {0x0a, 8, 'g', 'a', 't', 'e', 'w', 'a', 'y', '1'};
    assertThat(small.decode(ten).gatewayId()).isEqualTo("gateway1");
    assertThatThrownBy(() -> small.decode(Arrays.copyOf(ten, 11)))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("11")
        .hasMessageContaining("10");
  }

  @Test
  void moreReadingsThanAllowed_undecodable_inEitherFormAndBoth() throws UndecodableException {
    BatchDecoder small = new BatchDecoder(new Limits(1000, 5, 256));
    for (int rows = 0; rows <= 6; rows++) {
      for (int values = 0; values <= 6; values++) {
        for (int entries = 0; entries <= 6; entries++) {
          for (byte[] bytes : batchesOf(rows, values, entries)) {
            if (rows + values + entries <= 5) {
              ReadingColumns columns = small.decode(bytes);
              assertThat(columns.readings()).isEqualTo(rows + values);
              assertThat(columns.attestations().size()).isEqualTo(entries);
            } else {
              assertThatThrownBy(() -> small.decode(bytes))
                  .isInstanceOf(UndecodableException.class)
                  .hasMessageContaining("5 readings");
            }
          }
        }
      }
    }
  }

  /** 2a 00 is a series of nothing: a record of 1 MiB has room for half a million of them. */
  @Test
  void moreSeriesThanReadingsAllowed_undecodable_thoughTheyAreEmpty() throws UndecodableException {
    assertUndecodable(emptySeries(524_288));
    assertUndecodable(emptySeries(10_001));
    assertThat(decoder.decode(emptySeries(10_000)).runs()).isEqualTo(10_000);
    byte[] rowAfterThem = Arrays.copyOf(emptySeries(10_000), 20_002);
    rowAfterThem[20_000] = 0x22;
    assertUndecodable(rowAfterThem);
  }

  /** 32 00 is an entry about nothing. */
  @Test
  void moreEntriesThanReadingsAllowed_undecodable_thoughTheyAreEmpty() throws UndecodableException {
    assertUndecodable(emptyEntries(524_288));
    assertUndecodable(emptyEntries(10_001));
    assertThat(decoder.decode(emptyEntries(10_000)).attestations().size()).isEqualTo(10_000);
    assertThat(decoder.decode(new byte[0]).attestations().size()).isZero();
  }

  private static byte[] emptyEntries(int count) {
    byte[] bytes = emptySeries(count);
    for (int at = 0; at < bytes.length; at += 2) {
      bytes[at] = 0x32;
    }
    return bytes;
  }

  private static byte[] emptySeries(int count) {
    byte[] bytes = new byte[2 * count];
    for (int at = 0; at < bytes.length; at += 2) {
      bytes[at] = 0x2a;
    }
    return bytes;
  }

  /** Each with its entries about completeness first, and last. */
  private static byte[][] batchesOf(int rows, int values, int entries) {
    byte[] readings = batchOf(rows, values);
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    for (int i = 0; i < entries; i++) {
      batch.addComplete(Completeness.newBuilder().setSensorId("r").setThroughMs(i));
    }
    byte[] complete = batch.build().toByteArray();
    return new byte[][] {joined(readings, complete), joined(complete, readings)};
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] batchOf(int rows, int values) {
    ReadingBatch.Builder batch = ReadingBatch.newBuilder();
    Series.Builder series = Series.newBuilder().setSensorId("s");
    for (int i = 0; i < rows; i++) {
      batch.addReadings(Reading.newBuilder().setSensorId("r"));
    }
    for (int i = 0; i < values; i++) {
      series.addTimestampDeltaMs(1).addValue(1);
    }
    return batch.addSeries(series).build().toByteArray();
  }

  @Test
  void batchAfterALargerOne_holdsNothingOfIt() throws UndecodableException {
    decoder.decode(
        ReadingBatch.newBuilder()
            .setGatewayId("g")
            .setBootId(1)
            .setSequence(2)
            .addComplete(Completeness.newBuilder().setSensorId("s").setThroughMs(12))
            .setOrdered(true)
            .addSeries(
                Series.newBuilder()
                    .setSensorId("s")
                    .setStartTimestampMs(9)
                    .addTimestampDeltaMs(1)
                    .addTimestampDeltaMs(1)
                    .addValue(1)
                    .addValue(2)
                    .addQualityValue(3)
                    .addQualityValue(3))
            .build()
            .toByteArray());
    ReadingBatch small =
        ReadingBatch.newBuilder()
            .addSeries(Series.newBuilder().addTimestampDeltaMs(5).addValue(7))
            .build();
    assertThat(BatchText.of(decoder.decode(small.toByteArray()))).isEqualTo(BatchText.of(small));
  }
}
