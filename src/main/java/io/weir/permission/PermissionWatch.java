package io.weir.permission;

import io.weir.yaml.YamlException;
import io.weir.yaml.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of gateways while it is watched: looked at every two seconds, and taken once two looks
 * in a row saw the same new content, since it may be half written at the first, if that is as it
 * has to be. Otherwise the version before stays. One thread of its own; any thread may ask.
 */
public final class PermissionWatch implements Supplier<Permissions>, AutoCloseable {
  /** Receives each version of the file that was seen. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A version was seen.
     *
     * @param accepted whether it holds from now on
     */
    void seen(boolean accepted);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PermissionWatch.class);
  private static final long INTERVAL_SECONDS = 2;

  /** In place of a content that cannot be read, or is too large. */
  private static final byte[] UNREADABLE = {};

  private final Path file;
  private final boolean signed;
  private final Listener listener;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "weir-gateways-file");
            thread.setDaemon(true);
            return thread;
          });

  /** What was judged last. */
  private byte[] seen;

  /** What the last look found. */
  private byte[] last;

  private volatile Permissions current;

  private PermissionWatch(Path file, boolean signed, Listener listener) {
    this.file = file;
    this.signed = signed;
    this.listener = listener;
  }

  /**
   * Reads the file and watches it from then on.
   *
   * @throws YamlException if the file is not as it has to be, as {@link PermissionFile}
   */
  public static PermissionWatch open(Path file, boolean signed, Listener listener) {
    PermissionWatch watch = of(file, signed, listener);
    watch.executor.scheduleWithFixedDelay(
        watch::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  /** Reads the file; reads it again only when asked to. */
  static PermissionWatch of(Path file, boolean signed, Listener listener) {
    PermissionWatch watch = new PermissionWatch(file, signed, listener);
    watch.seen = watch.content();
    watch.last = watch.seen;
    watch.current = PermissionFile.read(file, signed);
    listener.seen(true);
    return watch;
  }

  @Override
  public Permissions get() {
    return current;
  }

  /** Looks whether the file has changed. */
  synchronized void look() {
    byte[] now = content();
    boolean settled = Arrays.equals(now, last);
    last = now;
    if (!settled || Arrays.equals(now, seen)) {
      return;
    }
    seen = now;
    try {
      current = PermissionFile.read(file, signed);
      LOG.info("{}: read again, {} entries hold from now on", file, current.size());
      listener.seen(true);
    } catch (YamlException e) {
      LOG.error("{}; the version read before holds on", e.getMessage());
      listener.seen(false);
    } catch (RuntimeException e) {
      LOG.error("{}: it cannot be read; the version read before holds on", file, e);
      listener.seen(false);
    }
  }

  private byte[] content() {
    try {
      return Files.size(file) > YamlFile.MAX_BYTES ? UNREADABLE : Files.readAllBytes(file);
    } catch (IOException e) {
      return UNREADABLE;
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
