package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.CloseableIterator;
import org.junit.jupiter.api.Test;

/** What of a fetch is handed over, against what was sent. */
class HandedRecordsTest {
  private static final int FIRST = 1_000;
  private static final byte[] VALUE = {1};

  private final PollBudget budget = new PollBudget(10_000);

  /** Each record with a value comes as it is, each other one counts once. */
  @Test
  void recordsWithoutValue_areEightAndOneForTheRest_whateverLiesBetween() {
    Seeds.forEach(
        200,
        random -> {
          int sent = 1 + random.nextInt(60);
          int of = 1 + random.nextInt(3);
          List<Long> withValue = new ArrayList<>();
          List<Long> without = new ArrayList<>();
          MemoryRecordsBuilder builder = builder(random);
          for (long offset = FIRST; offset < FIRST + sent; offset++) {
            boolean has = random.nextInt(4) >= of;
            (has ? withValue : without).add(offset);
            builder.append(1, random.nextBoolean() ? VALUE : null, has ? VALUE : null);
          }
          List<Record> handed = handed(builder.build());

          assertThat(handed.stream().filter(Record::hasValue).map(Record::offset))
              .containsExactlyElementsOf(withValue);
          assertThat(handed).extracting(Record::offset).isSorted();
          List<Record> others = handed.stream().filter(record -> !record.hasValue()).toList();
          int most = HandedIterator.MOST_WITHOUT_VALUE;
          if (without.size() <= most + 1) {
            assertThat(others).extracting(Record::offset).containsExactlyElementsOf(without);
          } else {
            Record last = others.get(most);
            assertThat(others).hasSize(most + 1);
            assertThat(marker(last))
                .contains(
                    new OversizedBatch(
                        without.get(most), without.get(without.size() - 1), without.size() - most));
            assertThat(last.offset()).isEqualTo(without.get(without.size() - 1));
          }
        });
  }

  @Test
  void restThatCannotBeDecompressed_isAMarker_andEndsTheBatch() {
    Seeds.forEach(
        100,
        random -> {
          MemoryRecordsBuilder builder = builder(random);
          for (int record = 0; record < 50; record++) {
            byte[] noise = new byte[200];
            random.nextBytes(noise);
            builder.append(1, null, noise);
          }
          MemoryRecords batch = builder.build();
          ByteBuffer bytes = batch.buffer();
          for (int at = 61 + random.nextInt(bytes.limit() - 61); at < bytes.limit(); at++) {
            bytes.put(at, (byte) 0xff);
          }
          List<Record> handed = handed(batch);
          Record last = handed.get(handed.size() - 1);
          assertThat(last.offset()).isEqualTo(FIRST + 49);
          long first = marker(last).orElseThrow().firstOffset();
          assertThat(handed).hasSize((int) (first - FIRST) + 1);
        });
  }

  /** No deserializer sees them: a poll would hand over hundreds of any size. */
  @Test
  void recordsWithoutKeyAndValue_countInThePollsBudget() {
    Header[] headers = {new RecordHeader("h", new byte[3_000])};
    MemoryRecordsBuilder builder = builder(new Random(1));
    for (int record = 0; record < 8; record++) {
      builder.append(1, (byte[]) null, (byte[]) null, headers);
    }
    List<Record> handed = handed(builder.build());
    budget.begin();
    for (Record record : handed.subList(0, 4)) {
      assertThat(record.headers()).isEqualTo(headers);
    }
    assertThatThrownBy(() -> handed.get(4).headers()).isInstanceOf(SerializationException.class);
    budget.begin();
    assertThat(handed.get(4).headers()).isEqualTo(headers);
  }

  @Test
  void hundredsOfThousandsOfEmptyRecords_areNine_whateverTheCodec() {
    for (CompressionType type : CompressionType.values()) {
      MemoryRecordsBuilder builder =
          MemoryRecords.builder(
              ByteBuffer.allocate(1 << 21),
              Compression.of(type).build(),
              TimestampType.CREATE_TIME,
              FIRST);
      for (int record = 0; record < 200_000; record++) {
        builder.append(1, (byte[]) null, (byte[]) null, new Header[0]);
      }
      List<Record> handed = handed(builder.build());
      assertThat(handed).as(type.name).hasSize(HandedIterator.MOST_WITHOUT_VALUE + 1);
    }
  }

  /** On compacted topics each of them deletes a key. */
  @Test
  void recordsWithoutValue_comeEach_whereTheyAreToBe() {
    MemoryRecordsBuilder builder = builder(new Random(2));
    for (int record = 0; record < 30; record++) {
      builder.append(1, new byte[] {(byte) record}, null);
    }
    assertThat(handed(builder.build(), HandedIterator.ALL_WITHOUT_VALUE)).hasSize(30);
  }

  private static MemoryRecordsBuilder builder(Random random) {
    CompressionType type = CompressionType.values()[1 + random.nextInt(4)];
    return MemoryRecords.builder(
        ByteBuffer.allocate(1 << 16),
        Compression.of(type).build(),
        TimestampType.CREATE_TIME,
        FIRST);
  }

  private static Optional<OversizedBatch> marker(Record record) {
    return OversizedBatch.of(null, new RecordHeaders(record.headers()));
  }

  private List<Record> handed(MemoryRecords records) {
    return handed(records, HandedIterator.MOST_WITHOUT_VALUE);
  }

  private List<Record> handed(MemoryRecords records, int most) {
    List<Record> handed = new ArrayList<>();
    budget.begin();
    for (RecordBatch batch : new HandedRecords(records, budget, most).batches()) {
      try (CloseableIterator<Record> iterator =
          batch.streamingIterator(BufferSupplier.NO_CACHING)) {
        iterator.forEachRemaining(handed::add);
      }
    }
    return handed;
  }
}
