package io.weir.chart;

import io.weir.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A container of the chart's as a process of this machine: its arguments, and its variables. */
final class PodProcess implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("health and metrics on port (\\d+)");
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(100);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final Path log;

  private PodProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts it.
   *
   * @param entrypoint the image's
   * @param args in place of the container's, where paths differ here
   * @param changed variables that differ here: addresses and directories
   */
  static PodProcess start(
      List<String> entrypoint,
      PodEnvironment.Container container,
      List<String> args,
      Map<String, String> changed,
      Path log)
      throws IOException {
    List<String> command = new ArrayList<>(entrypoint);
    command.addAll(args);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*"));
    builder.environment().putAll(container.variables());
    builder.environment().putAll(changed);
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new PodProcess(builder.start(), log);
  }

  /** Waits until a page says yes. */
  void awaitYes(String page) throws Exception {
    awaitThat(page + " says yes", () -> isUp() && get(page).statusCode() == 200);
  }

  String metrics() throws Exception {
    return get("/metrics").body();
  }

  /** Waits for a condition; a process that ends, or does not get there, fails with its log. */
  void awaitThat(String what, Condition condition) throws Exception {
    long start = System.nanoTime();
    while (!isMet(condition)) {
      if (!process.isAlive() || System.nanoTime() - start > TIMEOUT_NANOS) {
        throw new AssertionError("not so: " + what + "; it said:\n" + said());
      }
      Await.pause();
    }
  }

  /** No answer in a while is no: a busy machine answers later. */
  private static boolean isMet(Condition condition) throws Exception {
    try {
      return condition.isMet();
    } catch (HttpTimeoutException e) {
      return false;
    }
  }

  /** What may need several looks. */
  interface Condition {
    boolean isMet() throws Exception;
  }

  /** Sends SIGTERM, as a kubelet does. */
  void terminate() {
    process.destroy();
  }

  /** Its exit status. */
  int awaitEnd() throws Exception {
    if (!process.waitFor(TIMEOUT_NANOS, TimeUnit.NANOSECONDS)) {
      throw new AssertionError("does not end; it said:\n" + said());
    }
    return process.exitValue();
  }

  String said() throws IOException {
    return Files.readString(log);
  }

  private boolean isUp() throws IOException {
    return PORT.matcher(said()).find();
  }

  private HttpResponse<String> get(String page) throws Exception {
    Matcher port = PORT.matcher(said());
    if (!port.find()) {
      throw new AssertionError("no port printed; output:\n" + said());
    }
    URI uri = URI.create("http://127.0.0.1:" + port.group(1) + page);
    return HTTP.send(
        HttpRequest.newBuilder(uri).timeout(REQUEST_TIMEOUT).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
