package io.weir.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Standard input that nobody has to wait for once the command is asked to stop: a pipe on which
 * nothing comes cannot be interrupted, so a thread of its own waits there. One thread may read.
 */
public final class StoppableInput extends InputStream {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int CHUNKS_AHEAD = 4;
  private static final long LOOK_MS = 50;

  private final InputStream in;
  private final BooleanSupplier stopped;
  private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
  private boolean pumping;
  private Chunk current;
  private int taken;

  /** Bytes, or the end where there are none and nothing failed. */
  private record Chunk(byte[] bytes, IOException failure) {
    boolean isLast() {
      return bytes.length == 0;
    }
  }

  /**
   * @param in is read ahead from the first read on, and never closed
   */
  public StoppableInput(InputStream in, BooleanSupplier stopped) {
    this.in = in;
    this.stopped = stopped;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /**
   * As ever, but for the stop.
   *
   * @throws InterruptedIOException if asked to stop while nothing comes; an end of input would make
   *     half a line look like a whole one
   */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!pumping) {
      startPump();
    }
    if (current == null || (taken == current.bytes().length && !current.isLast())) {
      current = await();
      taken = 0;
    }
    if (current.isLast()) {
      if (current.failure() != null) {
        throw current.failure();
      }
      return -1;
    }
    int count = Math.min(length, current.bytes().length - taken);
    System.arraycopy(current.bytes(), taken, target, offset, count);
    taken += count;
    return count;
  }

  private void startPump() {
    pumping = true;
    Thread pump = new Thread(this::pump, "weir-stdin");
    pump.setDaemon(true);
    pump.start();
  }

  private Chunk await() throws InterruptedIOException {
    try {
      Chunk next = chunks.poll();
      while (next == null) {
        if (stopped.getAsBoolean()) {
          throw new InterruptedIOException("stopped");
        }
        next = chunks.poll(LOOK_MS, TimeUnit.MILLISECONDS);
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private void pump() {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      Chunk chunk;
      do {
        chunk = readChunk(buffer);
        chunks.put(chunk);
      } while (!chunk.isLast());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Chunk readChunk(byte[] buffer) {
    try {
      return new Chunk(Arrays.copyOf(buffer, Math.max(0, in.read(buffer))), null);
    } catch (IOException e) {
      return new Chunk(new byte[0], e);
    }
  }
}
