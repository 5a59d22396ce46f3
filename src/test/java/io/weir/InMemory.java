package io.weir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories in memory, where the machine has room there, for tests that write to disk a
 * thousand times: {@code @TempDir(factory = InMemory.class)}.
 */
public final class InMemory implements TempDirFactory {
  private static final long ROOM_BYTES = 256 << 20;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    Path memory = Path.of(System.getProperty("weir.broker.parent", ""));
    boolean hasRoom =
        memory.isAbsolute()
            && Files.isWritable(memory)
            && Files.getFileStore(memory).getUsableSpace() >= ROOM_BYTES;
    return hasRoom
        ? Files.createTempDirectory(memory, "weir-test-")
        : Files.createTempDirectory("weir-test-");
  }
}
