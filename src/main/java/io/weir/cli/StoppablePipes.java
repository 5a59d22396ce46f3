package io.weir.cli;

import io.weir.text.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Standard input and named pipes, each a {@link StoppableInput}. Safe for many threads. */
final class StoppablePipes implements Pipes {
  private final BooleanSupplier stopped;
  private final List<StoppableInput> opened = new CopyOnWriteArrayList<>();

  StoppablePipes(BooleanSupplier stopped) {
    this.stopped = stopped;
  }

  @Override
  public InputStream open(String name) throws IOException {
    boolean standard = STANDARD_INPUT.equals(name);
    if (standard) {
      StandardInput.requireOpen();
    }
    StoppableInput input =
        new StoppableInput(
            () -> standard ? StandardInput.open() : Files.newInputStream(Path.of(name)), stopped);
    opened.add(input);
    return input;
  }

  /**
   * Takes nothing more from any of them; to be called after the command was asked to stop.
   *
   * @see StoppableInput#stop
   */
  void stop() throws IOException {
    for (StoppableInput input : opened) {
      input.stop();
    }
  }

  /** Bytes that were taken from the pipes and that nobody has read. */
  long unreadBytes() {
    return opened.stream().mapToLong(StoppableInput::unreadBytes).sum();
  }
}
