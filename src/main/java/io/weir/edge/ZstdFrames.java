package io.weir.edge;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Zstandard for a KafkaProducer that has many small batches. Kafka opens a stream for each batch,
 * of unknown length: tables of most of a MiB are made and cleared for what is often 400 bytes. Here
 * a batch is gathered and compressed at once, with its length known and by a compressor that is
 * kept; what comes out is a frame like any other, and names its length. Safe for many threads.
 */
final class ZstdFrames implements Compression, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ZstdFrames.class);

  /** Batches are closed by the network thread, full ones by whoever sends: two threads. */
  private static final int MAX_IDLE = 2;

  private static final int FIRST_BYTES = 2048;
  private static final int MAX_KEPT_BYTES = 1024 * 1024;

  private final Compression kafkas;
  private final Supplier<ZstdCompressCtx> newContext;
  private final Deque<Compressor> idle = new ArrayDeque<>(MAX_IDLE);
  private boolean closed;

  /**
   * Nothing is allocated yet.
   *
   * @param kafkas Kafka's own, which reads frames, and writes one where this cannot
   */
  ZstdFrames(Compression kafkas, int level) {
    this(kafkas, () -> new ZstdCompressCtx().setLevel(level));
  }

  ZstdFrames(Compression kafkas, Supplier<ZstdCompressCtx> newContext) {
    this.kafkas = kafkas;
    this.newContext = newContext;
  }

  /**
   * Takes the place of Zstandard in a producer that has sent nothing yet; Kafka has no setting for
   * it. Where Kafka has changed within, its own one stays.
   *
   * @return what must be closed after the producer, or empty
   */
  static Optional<ZstdFrames> in(Producer<?, ?> producer, int level) {
    try {
      Object accumulator = KafkaFields.get(producer, "accumulator");
      ZstdFrames frames =
          new ZstdFrames((Compression) KafkaFields.get(accumulator, "compression"), level);
      KafkaFields.set(accumulator, "compression", frames);
      return Optional.of(frames);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Batches are compressed by streams of Kafka's own, which takes more time", e);
      return Optional.empty();
    }
  }

  @Override
  public CompressionType type() {
    return CompressionType.ZSTD;
  }

  @Override
  public OutputStream wrapForOutput(ByteBufferOutputStream out, byte messageVersion) {
    return new Frame(out, messageVersion);
  }

  @Override
  public InputStream wrapForInput(
      ByteBuffer frames, byte messageVersion, BufferSupplier decompressionBuffers) {
    return kafkas.wrapForInput(frames, messageVersion, decompressionBuffers);
  }

  @Override
  public int decompressionOutputSize() {
    return kafkas.decompressionOutputSize();
  }

  /** Frees what is kept; what is in use when it is given back. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    for (Compressor next = pollIdle(); next != null; next = pollIdle()) {
      next.context.close();
    }
  }

  private synchronized Compressor pollIdle() {
    return idle.pollLast();
  }

  private Compressor take() {
    Compressor kept = pollIdle();
    return kept == null ? new Compressor(newContext.get()) : kept;
  }

  private void giveBack(Compressor compressor) {
    synchronized (this) {
      if (!closed && idle.size() < MAX_IDLE && compressor.frame.length <= MAX_KEPT_BYTES) {
        idle.addLast(compressor);
        return;
      }
    }
    compressor.context.close();
  }

  private void write(byte[] bytes, int length, ByteBufferOutputStream out, byte messageVersion)
      throws IOException {
    Compressor compressor = null;
    try {
      compressor = take();
      int written = compressor.compress(bytes, length);
      out.write(compressor.frame, 0, written);
    } catch (IllegalStateException | ZstdException e) {
      // No memory outside of the heap, most likely; nothing is written yet.
      try (OutputStream stream = kafkas.wrapForOutput(out, messageVersion)) {
        stream.write(bytes, 0, length);
      }
    } finally {
      if (compressor != null) {
        giveBack(compressor);
      }
    }
  }

  /** What one thread compresses with; its tables and its array are used again. */
  private static final class Compressor {
    private final ZstdCompressCtx context;
    private byte[] frame = new byte[0];

    Compressor(ZstdCompressCtx context) {
      this.context = context;
    }

    /** Makes the frame of the first bytes; returns how long it is. */
    int compress(byte[] bytes, int length) {
      int most = Math.toIntExact(Zstd.compressBound(length));
      if (frame.length < most) {
        frame = new byte[most];
      }
      return context.compressByteArray(frame, 0, frame.length, bytes, 0, length);
    }
  }

  /** A batch's bytes, which become a frame when it is closed. For one thread at a time. */
  private final class Frame extends OutputStream {
    private final ByteBufferOutputStream out;
    private final byte messageVersion;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    Frame(ByteBufferOutputStream out, byte messageVersion) {
      this.out = out;
      this.messageVersion = messageVersion;
    }

    @Override
    public void write(int octet) {
      reserve(1);
      bytes[length++] = (byte) octet;
    }

    @Override
    public void write(byte[] source, int offset, int count) {
      reserve(count);
      System.arraycopy(source, offset, bytes, length, count);
      length += count;
    }

    @Override
    public void close() throws IOException {
      if (bytes == null) {
        return;
      }
      byte[] all = bytes;
      bytes = null;
      ZstdFrames.this.write(all, length, out, messageVersion);
    }

    private void reserve(int count) {
      if (bytes.length - length < count) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
      }
    }
  }
}
