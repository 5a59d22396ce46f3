package io.weir.cli;

import io.weir.text.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * Standard input and named pipes, each a {@link StoppableInput}. They are opened by one thread; all
 * else is for any.
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
        return InputStream.nullInputStream(); // It was named before, and read to its end.
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
   * Takes nothing more from any of them; to be called after the command was asked to stop. Waits
   * for reads that are under way, at most for {@value #STOP_MS} ms: a file on a server that is gone
   * may hold one for ever.
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
      // It is read no more, whether it could be closed or not.
    }
  }

  /** Bytes that were taken from the pipes and that nobody has read. */
  long unreadBytes() {
    return opened.stream().mapToLong(StoppableInput::unreadBytes).sum();
  }
}
