package io.weir.lab.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Debian's Mosquitto in a process of its own, set as docs/inputs.md says. It writes its sessions
 * when it stops. Safe for many threads.
 */
public final class Mosquitto implements AutoCloseable {
  public static final Path PROGRAM = Path.of("/usr/sbin/mosquitto");

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Path dir;
  private final int port = FreePorts.find(1).get(0);
  private Process process;

  /**
   * @param dir for its settings, its sessions and what it says
   */
  public Mosquitto(Path dir) {
    this.dir = dir;
    // It must not outlive this process.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  public static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  public int port() {
    return port;
  }

  /** Starts it; returns when it answers. */
  public synchronized void start() {
    Path settings = dir.resolve("mosquitto.conf");
    try {
      Files.writeString(
          settings,
          """
          user %s
          listener %d 127.0.0.1
          allow_anonymous true
          persistence true
          persistence_location %s/
          max_queued_messages 0
          max_inflight_messages 2000
          autosave_interval 60
          """
              .formatted(System.getProperty("user.name"), port, dir));
      process =
          new ProcessBuilder(PROGRAM.toString(), "-c", settings.toString())
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(dir.resolve("mosquitto.txt").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!Waiting.until(TIMEOUT, this::answers)) {
      throw new IllegalStateException("mosquitto does not answer; see mosquitto.txt in " + dir);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** SIGTERM; returns when it has written its sessions. */
  public synchronized void stop() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
