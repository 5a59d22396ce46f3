package io.weir.dev.bench;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entry of a measured process: does its {@link Task} and says the figures in one line. */
public final class MeasuredProcess {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredProcess.class);

  private MeasuredProcess() {}

  public static void main(String[] args) {
    int status = 1;
    try {
      say(run(Task.ofArguments(List.of(args))).toString());
      status = 0;
    } catch (RuntimeException e) {
      LOG.error("measuring failed", e);
    }
    // Threads of a work that failed must not hold the process.
    System.exit(status);
  }

  static Figures run(Task task) {
    try (Work work = task.subject().work(task)) {
      return new Stopwatch(work, task).measure();
    }
  }

  /** Writes a line to the measuring process; standard output is for that alone, and stays open. */
  static void say(String line) {
    try {
      new FileOutputStream(FileDescriptor.out)
          .write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
