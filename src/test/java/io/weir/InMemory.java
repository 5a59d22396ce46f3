package io.weir;

import io.weir.lab.TemporaryDirectory;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Each {@code @TempDir} is in memory, where the machine has room there: nothing waits for disks.
 */
public final class InMemory implements TempDirFactory {
  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) {
    return TemporaryDirectory.createForData("weir-test-").path();
  }
}
