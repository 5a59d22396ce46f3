package io.weir.cli;

import io.weir.internal.text.BlockInput;
import io.weir.internal.text.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A pipe whose reader never blocks after a stop of the command. Opening a pipe waits for a writer,
 * and neither opening nor reading can be interrupted, so a separate thread does both. After the
 * stop the bytes that were read before are still returned, and {@link #stop} ends the reading. One
 * thread may read.
 */
public final class StoppableInput extends BlockInput {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int CHUNKS_AHEAD = 4;
  private static final long LOOK_MS = 50;
  private static final long NOTHING_YET_NANOS = 1_000_000;

  private final Opening opening;
  private final BooleanSupplier stopped;
  private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS_AHEAD);
  private final AtomicLong unreadBytes = new AtomicLong();

  /** Held from a read of the pipe until its bytes are counted. */
  private final Lock taking = new ReentrantLock();

  /** Null before it is open. */
  private volatile InputStream pipe;

  private boolean pumping;
  private Chunk current;
  private int taken;

  /** Opens the pipe, on the reading thread. */
  @FunctionalInterface
  public interface Opening {
    InputStream open() throws IOException;
  }

  /** Bytes; none at the end of the input or with a failure. */
  private record Chunk(byte[] bytes, IOException failure) {
    boolean isLast() {
      return bytes.length == 0;
    }
  }

  /**
   * @param opening called at the first read, which starts reading ahead. Its stream is closed at
   *     the end, so that a writer gets an error. A close by another thread must end a blocked read,
   *     as that of a channel does
   */
  public StoppableInput(Opening opening, BooleanSupplier stopped) {
    this.opening = opening;
    this.stopped = stopped;
  }

  /** Standard input and named pipes that can be stopped. */
  public static Pipes pipes(BooleanSupplier stopped) {
    return new StoppablePipes(stopped);
  }

  /**
   * Reads until the command is stopped and all bytes that were read ahead are returned.
   *
   * @throws InterruptedIOException if no bytes are left after the stop; an end of input would make
   *     half a line look complete
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
    unreadBytes.addAndGet(-count);
    return count;
  }

  /** Bytes that were read ahead and not read from this stream. For any thread. */
  long unreadBytes() {
    return unreadBytes.get();
  }

  /**
   * Closes the pipe; to be called after the stop of the command. Bytes that were read before are
   * counted when this returns, and can still be read.
   */
  void stop() throws IOException {
    InputStream open = pipe;
    if (open != null) {
      open.close();
      taking.lock(); // Waits until a read that ended before the close is counted.
      taking.unlock();
    }
  }

  private void startPump() {
    pumping = true;
    Thread pump = new Thread(this::pump, "weir-pipe");
    pump.setDaemon(true);
    pump.start();
  }

  private Chunk await() throws InterruptedIOException {
    try {
      Chunk next = chunks.poll();
      while (next == null) {
        // Checked before the wait, so that bytes that were read before the stop are returned.
        boolean last = stopped.getAsBoolean();
        next = chunks.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        if (next == null && last) {
          throw new InterruptedIOException("stopped");
        }
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  private void pump() {
    try {
      Chunk last = new Chunk(new byte[0], null);
      try (InputStream in = opening.open()) {
        pipe = in;
        pump(in);
      } catch (IOException e) {
        last =
            new Chunk(
                new byte[0], stopped.getAsBoolean() ? new InterruptedIOException("stopped") : e);
      }
      chunks.put(last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pump(InputStream in) throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    while (!stopped.getAsBoolean()) {
      int count = readCounted(in, buffer);
      if (count < 0) {
        return;
      }
      if (count > 0) {
        chunks.put(new Chunk(Arrays.copyOf(buffer, count), null));
      } else {
        // Another process with this descriptor made it non-blocking.
        LockSupport.parkNanos(NOTHING_YET_NANOS);
      }
    }
    throw new InterruptedIOException("stopped");
  }

  private int readCounted(InputStream in, byte[] buffer) throws IOException {
    taking.lock();
    try {
      int count = in.read(buffer);
      unreadBytes.addAndGet(Math.max(0, count));
      return count;
    } finally {
      taking.unlock();
    }
  }
}
