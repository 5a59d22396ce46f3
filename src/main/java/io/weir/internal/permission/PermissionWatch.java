package io.weir.internal.permission;

import io.weir.internal.time.Daemons;
import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
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
 * Watches the file of gateways: reads it every two seconds, and loads new content that two
 * consecutive reads have seen, because it may be half written at the first. If the content is
 * invalid, the previous version stays active. Uses its own thread; any thread may call {@link
 * #get}.
 */
public final class PermissionWatch implements Supplier<Permissions>, AutoCloseable {
  /** Receives each version of the file that was seen. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A version was seen.
     *
     * @param accepted whether it is active now
     */
    void seen(boolean accepted);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PermissionWatch.class);
  private static final long INTERVAL_SECONDS = 2;

  /** Represents content that cannot be read or is too large. */
  private static final byte[] UNREADABLE = {};

  private final Path file;
  private final boolean signed;
  private final Listener listener;
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("weir-gateways-file"));

  /** The content that was last parsed. */
  private byte[] seen;

  /** The content at the last read. */
  private byte[] last;

  private volatile Permissions current;

  private PermissionWatch(Path file, boolean signed, Listener listener) {
    this.file = file;
    this.signed = signed;
    this.listener = listener;
  }

  /**
   * Reads the file and watches it.
   *
   * @throws YamlException if the file is invalid, see {@link PermissionFile}
   */
  public static PermissionWatch open(Path file, boolean signed, Listener listener) {
    PermissionWatch watch = of(file, signed, listener);
    watch.executor.scheduleWithFixedDelay(
        watch::look, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  /** Reads the file, without watching it. */
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

  /** Checks whether the file has changed. */
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
      LOG.info("{}: loaded a new version with {} entries", file, current.size());
      listener.seen(true);
    } catch (YamlException e) {
      LOG.error("{}; the previous version stays active", e.getMessage());
      listener.seen(false);
    } catch (RuntimeException e) {
      LOG.error("{}: cannot read the file; the previous version stays active", file, e);
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
