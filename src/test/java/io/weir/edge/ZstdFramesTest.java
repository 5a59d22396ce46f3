package io.weir.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.reading.Fnv1a;
import io.weir.reading.Quality;
import io.weir.wire.BatchColumns;
import io.weir.wire.BatchEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdFramesTest {
  private static final byte VERSION = 2;
  private static final int DEFAULT_LEVEL = 3;

  private final Compression kafkas = Compression.zstd().build();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2_047, 2_048, 2_049, 100_000, 3_000_000})
  void frame_isReadByKafka_byteForByte(int length) throws IOException {
    try (ZstdFrames frames = new ZstdFrames(kafkas, DEFAULT_LEVEL)) {
      byte[] bytes = text(length, 7);

      ByteBuffer frame = frame(frames, bytes);

      assertThat(read(kafkas, frame)).isEqualTo(bytes);
      assertThat(read(frames, frame)).isEqualTo(bytes);
      assertThat(frames.type()).isEqualTo(CompressionType.ZSTD);
    }
  }

  @Test
  void bytesThatAreWrittenOneByOne_andInPieces_areAllThere() throws IOException {
    byte[] bytes = text(20_000, 8);
    ByteBufferOutputStream out = new ByteBufferOutputStream(16);
    try (ZstdFrames frames = new ZstdFrames(kafkas, DEFAULT_LEVEL)) {
      OutputStream stream = frames.wrapForOutput(out, VERSION);
      for (int i = 0; i < 5_000; i++) {
        stream.write(bytes[i]);
      }
      stream.write(bytes, 5_000, 15_000);
      stream.close();
      stream.close();

      assertThat(read(kafkas, out.buffer().flip())).isEqualTo(bytes);
    }
  }

  @Test
  void batchOfThirtyReadings_takesNoMoreThanByKafkasStream() throws IOException {
    SplittableRandom random = new SplittableRandom(9);
    BatchColumns columns = new BatchColumns();
    for (int i = 0; i < 30; i++) {
      String id = "sensor-%07d".formatted(random.nextInt(10_000));
      double value = random.nextInt(2_000, 2_500) / 100.0;
      columns.add(id, Fnv1a.hash(id), 1_782_579_200_000L + i, value, Quality.GOOD);
    }
    byte[] bytes = new BatchEncoder().encode("gateway-7", 1, 1, columns);

    try (ZstdFrames frames = new ZstdFrames(kafkas, DEFAULT_LEVEL)) {
      assertThat(frame(frames, bytes).remaining())
          .isLessThanOrEqualTo(frame(kafkas, bytes).remaining());
    }
  }

  @Test
  void higherLevel_takesLess() throws IOException {
    byte[] bytes = text(100_000, 10);
    try (ZstdFrames fast = new ZstdFrames(kafkas, 1);
        ZstdFrames small = new ZstdFrames(kafkas, 19)) {
      assertThat(frame(small, bytes).remaining()).isLessThan(frame(fast, bytes).remaining());
    }
  }

  @Test
  void threadsThatCompressAtOnce_alsoWhileItIsClosed_getWholeFrames() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    ZstdFrames frames = new ZstdFrames(kafkas, DEFAULT_LEVEL);
    try {
      List<Callable<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        byte[] bytes = text(50 * i, i);
        boolean closes = i == 200;
        all.add(
            () -> {
              if (closes) {
                frames.close();
              }
              return Arrays.equals(read(kafkas, frame(frames, bytes)), bytes);
            });
      }
      for (Future<Boolean> whole : threads.invokeAll(all)) {
        assertThat(whole.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whereNoCompressorCanBeMade_kafkasStreamIsUsed() throws IOException {
    byte[] bytes = text(5_000, 11);
    try (ZstdFrames frames =
        new ZstdFrames(
            kafkas,
            () -> {
              throw new IllegalStateException("no memory");
            })) {
      assertThat(read(kafkas, frame(frames, bytes))).isEqualTo(bytes);
    }
  }

  /** A later Kafka may have other names within: then batches go, but take ten times the CPU. */
  @Test
  void producerOfKafka_compressesWithIt() throws Exception {
    Map<String, Object> settings = ProducerSettings.of(PublisherRig.builder().build());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      ZstdFrames frames = ZstdFrames.in(producer, DEFAULT_LEVEL).orElseThrow();

      Object accumulator = KafkaFields.get(producer, "accumulator");
      assertThat(KafkaFields.get(accumulator, "compression")).isSameAs(frames);
    }
  }

  @Test
  void level_isKafkasSetting_orItsDefault() {
    assertThat(ProducerSettings.zstdLevel(ProducerSettings.of(PublisherRig.builder().build())))
        .isEqualTo(DEFAULT_LEVEL);
    PublisherSettings set =
        PublisherRig.builder().kafka(Map.of("compression.zstd.level", "9")).build();
    assertThat(ProducerSettings.zstdLevel(ProducerSettings.of(set))).isEqualTo(9);
  }

  @Test
  void fieldThatIsNotThere_isAReflectiveOperationException() {
    assertThatThrownBy(() -> KafkaFields.get("text", "no such field"))
        .isInstanceOf(ReflectiveOperationException.class);
  }

  private static ByteBuffer frame(Compression compression, byte[] bytes) throws IOException {
    ByteBufferOutputStream out = new ByteBufferOutputStream(512);
    try (OutputStream stream = compression.wrapForOutput(out, VERSION)) {
      stream.write(bytes);
    }
    return out.buffer().flip();
  }

  private static byte[] read(Compression compression, ByteBuffer frame) throws IOException {
    try (InputStream in =
        compression.wrapForInput(frame.duplicate(), VERSION, BufferSupplier.NO_CACHING)) {
      return in.readAllBytes();
    }
  }

  private static byte[] text(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(6));
    }
    return bytes;
  }
}
