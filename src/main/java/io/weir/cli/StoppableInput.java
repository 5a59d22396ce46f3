package io.weir.cli;

import io.weir.text.BlockInput;
import io.weir.text.Pipes;
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
 * A pipe that nobody has to wait for once the command is asked to stop: neither its opening, which
 * waits for a writer, nor its reading can be interrupted, so a thread of its own waits there. After
 * the stop what was read before is still handed over, and {@link #stop} sees to it that nothing
 * more is read from the pipe. One thread may read.
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

  /** Held while bytes are taken from the pipe, until they are counted. */
  private final Lock taking = new ReentrantLock();

  /** Null until it is open. */
  private volatile InputStream pipe;

  private boolean pumping;
  private Chunk current;
  private int taken;

  /** Opens the pipe, in the thread that waits. */
  @FunctionalInterface
  public interface Opening {
    InputStream open() throws IOException;
  }

  /** Bytes, or the end where there are none and nothing failed. */
  private record Chunk(byte[] bytes, IOException failure) {
    boolean isLast() {
      return bytes.length == 0;
    }
  }

  /**
   * @param opening is called at the first read, from when on the pipe is read ahead; what it gives
   *     is closed at its end, so that nobody goes on writing to what nobody reads; a close by
   *     another thread has to end a read of it that waits, as that of a channel does
   */
  public StoppableInput(Opening opening, BooleanSupplier stopped) {
    this.opening = opening;
    this.stopped = stopped;
  }

  /** Standard input and named pipes, each to be stopped. */
  public static Pipes pipes(BooleanSupplier stopped) {
    return new StoppablePipes(stopped);
  }

  /**
   * Reads as any stream does, until the command is asked to stop and all is read that was taken
   * from the pipe.
   *
   * @throws InterruptedIOException where nothing is left after the stop; an end of input would make
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
    unreadBytes.addAndGet(-count);
    return count;
  }

  /** Bytes that were taken from the pipe and not read from this stream. For any thread. */
  long unreadBytes() {
    return unreadBytes.get();
  }

  /**
   * Takes nothing more from the pipe, and closes it; to be called after the command was asked to
   * stop. What was taken before is counted when this returns, and still handed over.
   */
  void stop() throws IOException {
    InputStream open = pipe;
    if (open != null) {
      open.close();
      taking.lock(); // Until a read that the close came too late for is counted.
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
        // Asked before the wait: whatever was taken from the pipe before the stop still comes.
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
      int count = take(in, buffer);
      if (count < 0) {
        return;
      }
      if (count > 0) {
        chunks.put(new Chunk(Arrays.copyOf(buffer, count), null));
      } else {
        // Whoever shares the descriptor made its reads return at once.
        LockSupport.parkNanos(NOTHING_YET_NANOS);
      }
    }
    throw new InterruptedIOException("stopped");
  }

  private int take(InputStream in, byte[] buffer) throws IOException {
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
