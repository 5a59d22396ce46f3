package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Files whose readings are known, where the input makes each choice of the generator: if sniff asks
 * nothing but the time zone, it reads exactly these.
 */
public final class SniffFuzz {
  private static final Path FILE = file();

  private SniffFuzz() {}

  public static void fuzzerTestOneInput(byte[] choices) throws IOException {
    RandomFile file = new RandomFile(new Choices(choices));
    Files.write(FILE, file.bytes());
    SniffCommand.Look look = SniffCommand.look(FILE);
    if (SniffedReadingsTest.asked(look).isEmpty() && look.failure().isEmpty()) {
      assertThat(SniffedReadingsTest.difference(look, file)).isEmpty();
    }
  }

  private static Path file() {
    try {
      Path file = Files.createTempFile("weir-sniff", ".csv");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A byte a choice; random ones, always the same, when they are used up. */
  private static final class Choices extends Random {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;
    private int at;

    Choices(byte[] bytes) {
      super(0);
      this.bytes = bytes;
    }

    @Override
    public int nextInt(int bound) {
      return at < bytes.length ? (bytes[at++] & 0xff) % bound : super.nextInt(bound);
    }
  }
}
