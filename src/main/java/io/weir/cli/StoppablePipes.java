package io.weir.cli;

import io.weir.text.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Standard input and named pipes, each a {@link StoppableInput}. Safe for many threads. */
final class StoppablePipes implements Pipes {
  private final Pipes pipes;
  private final BooleanSupplier stopped;
  private final List<StoppableInput> opened = new CopyOnWriteArrayList<>();

  StoppablePipes(Pipes pipes, BooleanSupplier stopped) {
    this.pipes = pipes;
    this.stopped = stopped;
  }

  @Override
  public InputStream open(String name) throws IOException {
    if (STANDARD_INPUT.equals(name)) {
      StandardInput.requireOpen();
    }
    StoppableInput input = new StoppableInput(() -> pipes.open(name), stopped);
    opened.add(input);
    return input;
  }

  /** Bytes that were taken from the pipes and that nobody has read. */
  long unreadBytes() {
    return opened.stream().mapToLong(StoppableInput::unreadBytes).sum();
  }
}
