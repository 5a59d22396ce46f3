package io.weir.lab.bench;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entry of a measured process: does its {@link Task} and says the figures in one line. */
public final class MeasuredProcess {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredProcess.class);

  private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private MeasuredProcess() {}

  public static void main(String[] args) {
    int status = 1;
    try {
      Task task = Task.ofArguments(List.of(args));
      if (task.kept().isPresent()) {
        tell(task);
      }
      say(run(task).toString());
      status = 0;
    } catch (RuntimeException e) {
      LOG.error("measuring failed", e);
    }
    // Threads of a work that failed must not hold the process.
    System.exit(status);
  }

  /** Says how many readings were taken, again and again, until this process is ended. */
  private static void tell(Task task) {
    try (Work work = task.subject().work(task)) {
      work.start();
      while (!Thread.currentThread().isInterrupted()) {
        say(Long.toString(work.processed()));
        LockSupport.parkNanos(TELL_NANOS);
      }
    }
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
