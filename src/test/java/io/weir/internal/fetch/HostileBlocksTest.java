package io.weir.internal.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Seeds;
import io.weir.lab.RawBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compressed bytes that were made to be read for ever, or to end the thread that reads them. */
class HostileBlocksTest {
  private static final int RECORDS = 61;
  private static final int ENOUGH_SECONDS = 120;

  @Test
  void zstdSkippableFrame_ofALengthBeyondAnInt_isNotReadAgainAndAgain() throws Exception {
    for (int length : new int[] {-8, -1, Integer.MIN_VALUE, Integer.MIN_VALUE + 8}) {
      ByteBuffer frame = littleEndian(16).putInt(0x184D2A50).putInt(length).putLong(0).flip();
      assertThatThrownBy(() -> ends(() -> CompressedBlocks.mostBytesOfZstd(frame)))
          .hasRootCauseInstanceOf(BufferUnderflowException.class);
    }
  }

  @Test
  void lz4Block_ofALengthBeyondAnInt_breaksOff() throws Exception {
    ByteBuffer frame = littleEndian(64).putInt(0x184D2204).putShort((short) 0x4060).put((byte) 0);
    frame.putInt(Integer.MAX_VALUE).flip();
    assertThatThrownBy(() -> ends(() -> CompressedBlocks.mostBytesOfLz4(frame)))
        .hasRootCauseInstanceOf(BufferUnderflowException.class);
  }

  /** Java reads each member of gzip within the read of the one before it. */
  @Test
  void gzipOfThousandsOfEmptyMembers_isReplaced() throws Exception {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    gzip(members, new byte[0]);
    byte[] member = members.toByteArray();
    for (int count = 0; count < 50_000; count++) {
      members.write(member);
    }
    MemoryRecords batch = withPayload(CompressionType.GZIP, members.toByteArray());
    assertThat(checked(batch)).isNotSameAs(batch);
  }

  /** The number of records is what the sender says, and a record of no byte costs one. */
  @Test
  void recordsWithoutASingleByte_countTowardsTheLimit() throws Exception {
    ByteArrayOutputStream zeros = new ByteArrayOutputStream();
    gzip(zeros, new byte[40_000_000]);
    MemoryRecords batch = withPayload(CompressionType.GZIP, zeros.toByteArray());
    batch.buffer().putInt(57, 40_000_000);
    assertThat(checked(batch)).isNotSameAs(batch);
  }

  /** Two bytes each in the record, and some hundred in memory. */
  @ParameterizedTest
  @EnumSource(
      value = CompressionType.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void headersWithoutNameAndValue_countWithWhatTheyCost(CompressionType type) throws Exception {
    MemoryRecords many = withHeaders(type, 600_000);
    assertThat(checked(many)).isNotSameAs(many);
    MemoryRecords some = withHeaders(type, 2_000);
    assertThat(checked(some)).isSameAs(some);
  }

  private static MemoryRecords withHeaders(CompressionType type, int count) {
    Header[] headers = new Header[count];
    Arrays.fill(headers, new RecordHeader("", null));
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 21),
            Compression.of(type).build(),
            TimestampType.CREATE_TIME,
            0);
    builder.append(1, (byte[]) null, null, headers);
    return builder.build();
  }

  /** Bytes of chance, and batches of which some bytes were changed. */
  @ParameterizedTest
  @EnumSource(
      value = CompressionType.class,
      names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
  void anyBytes_areReadToAnEnd(CompressionType type) {
    Seeds.forEach(
        40,
        random -> {
          byte[] payload = random.nextBoolean() ? compressed(type, random) : noise(random);
          mutate(payload, random);
          MemoryRecords batch = withPayload(type, payload);
          checked(batch);
          ends(() -> quietly(() -> CompressedBlocks.mostBytesOfZstd(little(payload))));
          ends(() -> quietly(() -> CompressedBlocks.mostBytesOfLz4(little(payload))));
          ends(() -> quietly(() -> CompressedBlocks.mostBytesOfSnappy(little(payload))));
        });
  }

  /** The library would allocate what it says, before it looks for the bytes. */
  @Test
  void snappyChunk_thatSaysTwoGigabytes_isReplaced() throws Exception {
    ByteBuffer chunk = ByteBuffer.allocate(32).putLong(0x82534E4150505900L).putInt(1).putInt(1);
    chunk.putInt(10).put(new byte[] {-1, -1, -1, -1, 7}).flip();
    byte[] payload = new byte[30];
    chunk.get(payload, 0, chunk.remaining());
    MemoryRecords batch = withPayload(CompressionType.SNAPPY, payload);
    assertThat(checked(batch)).isNotSameAs(batch);
  }

  /** Frames that are right but for one length. */
  @Test
  void anyLengthInAFrameOfZstd_isReadToAnEnd() {
    Seeds.forEach(
        100,
        random -> {
          ByteBuffer frames = littleEndian(4096);
          while (frames.remaining() > 64) {
            frames.putInt(0x184D2A50 | random.nextInt(16)).putInt(lengthOf(random));
            if (random.nextInt(4) == 0) {
              frames.putInt(0xFD2FB528).put((byte) random.nextInt()).putLong(random.nextLong());
            }
          }
          ends(() -> quietly(() -> CompressedBlocks.mostBytesOfZstd(frames.flip())));
        });
  }

  private static int lengthOf(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextInt(32);
      case 1 -> -random.nextInt(4096);
      default -> random.nextInt();
    };
  }

  private static void quietly(Runnable parser) {
    try {
      parser.run();
    } catch (BufferUnderflowException breaksOff) {
      // The only way in which it may refuse.
    }
  }

  private static byte[] compressed(CompressionType type, Random random) {
    byte[] value = new byte[random.nextInt(300_000)];
    for (int at = 0; at < value.length; at += 1 + random.nextInt(64)) {
      value[at] = (byte) random.nextInt();
    }
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(1 << 20),
            Compression.of(type).build(),
            TimestampType.CREATE_TIME,
            0);
    builder.append(1, null, value);
    ByteBuffer bytes = builder.build().buffer();
    byte[] payload = new byte[bytes.limit() - RECORDS];
    bytes.position(RECORDS).get(payload);
    return payload;
  }

  private static byte[] noise(Random random) {
    byte[] payload = new byte[1 + random.nextInt(20_000)];
    random.nextBytes(payload);
    return payload;
  }

  private static void mutate(byte[] payload, Random random) {
    for (int change = random.nextInt(4); change > 0; change--) {
      // Mostly near the beginning, where the lengths are.
      int at = random.nextInt(random.nextBoolean() ? Math.min(32, payload.length) : payload.length);
      for (int byteOf = at; byteOf < Math.min(payload.length, at + 4); byteOf++) {
        payload[byteOf] = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
      }
    }
  }

  private static MemoryRecords withPayload(CompressionType type, byte[] payload)
      throws IOException {
    ByteBuffer head = RawBatch.ofZeros(Compression.of(type).build(), 1, 10).buffer();
    ByteBuffer batch = ByteBuffer.allocate(RECORDS + payload.length);
    batch.put(head.duplicate().limit(RECORDS)).put(payload).putInt(8, batch.capacity() - 12);
    return MemoryRecords.readableRecords(batch.flip());
  }

  private static MemoryRecords checked(MemoryRecords batch) throws Exception {
    return ends(() -> new BatchCheck(32 << 20, 4 << 20).checked(batch));
  }

  private static void gzip(OutputStream into, byte[] bytes) throws IOException {
    GZIPOutputStream gzip = new GZIPOutputStream(into);
    gzip.write(bytes);
    gzip.finish();
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void ends(Runnable work) throws Exception {
    ends(
        () -> {
          work.run();
          return null;
        });
  }

  /** In a thread that holds up nobody: what never ends fails here. */
  private static <T> T ends(Supplier<T> work) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.get());
              } catch (Throwable failure) {
                result.completeExceptionally(failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result.get(ENOUGH_SECONDS, TimeUnit.SECONDS);
  }
}
