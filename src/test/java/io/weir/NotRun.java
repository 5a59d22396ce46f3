package io.weir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes down the tests that were skipped, with the reason: a program is missing. The build prints
 * them at its end.
 */
public final class NotRun implements TestExecutionListener {
  private static final Path DIR = Path.of("target", "not-run");

  private final Set<String> lines = new TreeSet<>();

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      add(test, result.getThrowable().map(Throwable::getMessage).orElse(""));
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    add(test, reason);
  }

  private void add(TestIdentifier test, String reason) {
    lines.add(
        test.getSource().map(NotRun::name).orElse(test.getDisplayName())
            + ": "
            + reason.lines().findFirst().orElse("")
            + "\n");
  }

  private static String name(TestSource source) {
    if (source instanceof MethodSource method) {
      return method.getClassName() + "." + method.getMethodName();
    }
    return source instanceof ClassSource of ? of.getClassName() : source.toString();
  }

  /** A file for each JVM: several run at one time. */
  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (lines.isEmpty()) {
      return;
    }
    try {
      Files.createDirectories(DIR);
      Files.writeString(
          DIR.resolve(ProcessHandle.current().pid() + ".txt"),
          String.join("", lines),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      lines.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
