package io.weir.cli;

import io.weir.internal.text.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Standard input and named pipes, each a {@link StoppableInput}. One thread opens them; the other
 * methods are for any thread.
 */
final class StoppablePipes implements Pipes {
  private static final long STOP_MS = 5_000;

  private final BooleanSupplier stopped;
  private final List<StoppableInput> opened = new CopyOnWriteArrayList<>();
  private boolean standardOpened;

  StoppablePipes(BooleanSupplier stopped) {
    this.stopped = stopped;
  }

  @Override
  public InputStream open(String name) throws IOException {
    boolean standard = STANDARD_INPUT.equals(name);
    if (standard) {
      if (standardOpened) {
        return InputStream.nullInputStream(); // It was read to its end under an earlier argument.
      }
      StandardInput.requireOpen();
      standardOpened = true;
    }
    StoppableInput input =
        new StoppableInput(
            () -> standard ? StandardInput.open() : Files.newInputStream(Path.of(name)), stopped);
    opened.add(input);
    return input;
  }

  /**
   * Closes all of them; to be called after the stop of the command. Waits for running reads, at
   * most for {@value #STOP_MS} ms: a read of a file on a dead server may never end.
   *
   * @see StoppableInput#stop
   */
  void stop() {
    Thread stopping = new Thread(() -> opened.forEach(StoppablePipes::stop), "weir-pipe-stop");
    stopping.setDaemon(true);
    stopping.start();
    try {
      stopping.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void stop(StoppableInput input) {
    try {
      input.stop();
    } catch (IOException e) {
      // No more reads follow, even if the close failed.
    }
  }

  /** Whether none was opened: the input is files alone. */
  boolean areUnused() {
    return opened.isEmpty();
  }

  /** Bytes that were read ahead from the pipes and not used. */
  long unreadBytes() {
    return opened.stream().mapToLong(StoppableInput::unreadBytes).sum();
  }
}
