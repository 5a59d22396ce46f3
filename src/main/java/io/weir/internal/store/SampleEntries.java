package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.PartitionWindows;
import io.weir.internal.window.SensorWindows;
import io.weir.internal.window.Window;
import io.weir.internal.window.aggregate.Samples;
import io.weir.reading.ByteKey;
import io.weir.reading.IdBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The samples of windows that have an integral or a counter, as entries of the changelog: one for
 * each chunk of {@value Samples#CHUNK_SIZE}. A commit writes the chunks that changed, which are
 * those at the end; all are deleted when their window is evicted, or has more samples than are
 * kept.
 *
 * <pre>
 * chunk   format | number of samples | each: time - time of the one before, zigzag
 *         | value, 8 bytes little-endian
 * </pre>
 *
 * <p>A window's own entry says how many samples it has. Entries may be read back in any order: the
 * samples of a window are here from when one of its entries was read or written until the last is
 * deleted. Called by the task's thread only.
 */
final class SampleEntries {
  private static final int MOST_SAMPLE_BYTES = 10 + Double.BYTES;
  private static final int HEAD_BYTES = 8;

  /** So many chunks hold more than the setting allows: what has more was not written here. */
  private static final int MOST_CHUNKS = 4_096;

  private final int mostSamples;
  private final Map<ByteKey, Samples> byWindow = new HashMap<>();
  private byte[] buffer = new byte[0];

  /**
   * @param mostSamples that are kept of a window
   */
  SampleEntries(int mostSamples) {
    this.mostSamples = mostSamples;
  }

  /** The window's start, then the sensor's id. */
  private static ByteKey windowOf(byte[] sensorId, long startMs) {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES + sensorId.length);
    return new ByteKey(key.putLong(startMs).put(sensorId).array());
  }

  /**
   * The samples of a window that is read back.
   *
   * @param size how many it is to have in the end
   */
  Samples of(byte[] sensorId, long startMs, int size) {
    if (size == 0) {
      return new Samples(mostSamples);
    }
    Samples samples = of(windowOf(sensorId, startMs));
    samples.expect(size);
    return samples;
  }

  private Samples of(ByteKey window) {
    return byWindow.computeIfAbsent(window, unknown -> new Samples(mostSamples));
  }

  /** Writes what changed of a window's samples since they were last written. */
  void flush(byte[] sensorId, Window window, ChangeLog log) throws IOException {
    Samples samples = window.samples();
    if (samples == null || samples.written() == samples.size()) {
      return;
    }
    if (samples.size() < samples.written()) {
      delete(sensorId, window.startMs(), samples, log);
    } else {
      if (samples.written() == 0) {
        byWindow.put(windowOf(sensorId, window.startMs()), samples);
      }
      int first = samples.written() / Samples.CHUNK_SIZE;
      for (int i = first; i < Samples.chunksOf(samples.size()); i++) {
        log.put(StateKey.samples(sensorId, window.startMs(), i), encode(samples.chunk(i)));
      }
    }
    samples.allWritten();
  }

  /** Deletes what was written of samples. */
  void delete(byte[] sensorId, long startMs, Samples samples, ChangeLog log) {
    for (int i = 0; i < Samples.chunksOf(samples.written()); i++) {
      log.put(StateKey.samples(sensorId, startMs, i), null);
    }
    byWindow.remove(windowOf(sensorId, startMs));
  }

  private byte[] encode(Samples.Chunk chunk) throws IOException {
    int most = HEAD_BYTES + MOST_SAMPLE_BYTES * chunk.size();
    if (buffer.length < most) {
      buffer = new byte[most];
    }
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(chunk.size());
    long beforeMs = 0;
    for (int i = 0; i < chunk.size(); i++) {
      out.writeSInt64NoTag(chunk.timestampMs(i) - beforeMs);
      out.writeDoubleNoTag(chunk.value(i));
      beforeMs = chunk.timestampMs(i);
    }
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts back a chunk that was kept; a null value takes it out. */
  void restore(byte[] key, byte[] value) throws IOException {
    int chunk = StateKey.chunk(key);
    if (chunk < 0 || chunk >= MOST_CHUNKS) {
      throw new IOException("samples of chunk " + chunk);
    }
    byte[] sensorId = Arrays.copyOfRange(key, StateKey.SAMPLES_ID_OFFSET, key.length);
    ByteKey window = windowOf(sensorId, StateKey.windowStartMs(key));
    if (value != null) {
      of(window).restore(chunk, decode(value));
      return;
    }
    Samples samples = byWindow.get(window);
    if (samples != null) {
      samples.restore(chunk, null);
      if (samples.size() == 0) {
        byWindow.remove(window);
      }
    }
  }

  private static Samples.Chunk decode(byte[] value) throws IOException {
    CodedInputStream in = StateFormat.read(value);
    int size = in.readUInt32();
    if (size <= 0 || size > Samples.CHUNK_SIZE) {
      throw new IOException("a chunk of " + size + " samples");
    }
    long[] timestampsMs = new long[size];
    double[] values = new double[size];
    long beforeMs = 0;
    for (int i = 0; i < size; i++) {
      beforeMs += in.readSInt64();
      timestampsMs[i] = beforeMs;
      values[i] = in.readDouble();
    }
    return new Samples.Chunk(timestampsMs, values);
  }

  /**
   * Goes on after all that was kept has been read back. Samples of windows that are kept no longer
   * are left out.
   *
   * @throws StateMismatchException if samples of a window are missing
   */
  void resume(PartitionWindows windows) {
    Iterator<Map.Entry<ByteKey, Samples>> all = byWindow.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<ByteKey, Samples> entry = all.next();
      Samples samples = entry.getValue();
      Window window = find(windows, entry.getKey());
      if (window == null || window.samples() != samples) {
        all.remove();
      } else if (!samples.resume()) {
        throw new StateMismatchException(
            "an entry of the changelog is missing: samples of the window that starts at "
                + window.startMs());
      }
    }
  }

  private static Window find(PartitionWindows windows, ByteKey key) {
    byte[] bytes = key.bytes();
    int length = bytes.length - Long.BYTES;
    int hash = IdBytes.hash(bytes, Long.BYTES, length);
    SensorWindows sensor = windows.find(bytes, Long.BYTES, length, hash);
    return sensor == null ? null : sensor.find(ByteBuffer.wrap(bytes).getLong());
  }

  /** Forgets everything at once, written or not. */
  void clear() {
    byWindow.clear();
  }
}
