package io.weir.internal.app;

import io.weir.Await;
import io.weir.lab.ClassArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code weir run} as a process of its own, watched as a supervisor does: over HTTP and signals.
 */
final class WeirProcess implements AutoCloseable {
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
  private static final Pattern PORT = Pattern.compile("health and metrics on port (\\d+)");

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PROBE_TIMEOUT).build();
  private final Process process;
  private final Path log;

  private WeirProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it from this build's classes. */
  static WeirProcess start(Path log, Map<String, String> environment) throws IOException {
    return start(log, environment, List.of("io.weir.cli.Weir", "run"));
  }

  /** The class path of this build. A longer one begins with it, or its archive does not hold. */
  static String classPath() {
    List<String> options = ClassArchive.options();
    return options.get(options.size() - 1);
  }

  /**
   * Starts a main class of this build, preceded by options for java, on a port of its own choice.
   * It compiles and collects as the tests do, unless the options say otherwise.
   */
  static WeirProcess start(Path log, Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("-Dlogback.configurationFile=io/weir/internal/app/logback.xml");
    command.addAll(ClassArchive.options());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(AppRig.SHORT_SESSION);
    builder.environment().putAll(environment);
    builder.environment().put("WEIR_HTTP_PORT", "0");
    builder.environment().put("WEIR_HTTP_HOST", "127.0.0.1");
    return new WeirProcess(builder.start(), log);
  }

  /** Waits until a probe finds it ready. */
  WeirProcess awaitReady() {
    await("ready", () -> status("/readyz") == 200);
    return this;
  }

  /** Waits until something is true of it; fails with its log if it ends before, or never. */
  void await(String what, BooleanSupplier condition) {
    await(what, condition, this);
  }

  /** Waits until something is true; fails with their logs if one of them ends before, or never. */
  static void await(String what, BooleanSupplier condition, WeirProcess... processes) {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    for (int looks = 0; !condition.getAsBoolean(); looks++) {
      boolean late = System.nanoTime() > deadline;
      List<WeirProcess> failed =
          Stream.of(processes).filter(each -> late || !each.isAlive()).toList();
      if (!failed.isEmpty()) {
        throw new AssertionError(
            "not %s:\n%s"
                .formatted(
                    what, failed.stream().map(WeirProcess::log).collect(Collectors.joining("\n"))));
      }
      Await.pause(looks);
    }
  }

  /** The status of a page; 0 where there is no answer in time. */
  int status(String path) {
    return get(path, "*/*").map(HttpResponse::statusCode).orElse(0);
  }

  /** A page; empty where there is no answer in time. */
  Optional<HttpResponse<String>> get(String path, String accept) {
    Matcher port = PORT.matcher(log());
    if (!port.find()) {
      return Optional.empty();
    }
    URI uri = URI.create("http://127.0.0.1:" + port.group(1) + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).timeout(PROBE_TIMEOUT).header("Accept", accept).build();
    try {
      return Optional.of(client.send(request, BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The sum of a metric over its labels; 0 where it is not reported. */
  double metric(String name) {
    String page = get("/metrics", "text/plain").map(HttpResponse::body).orElse("");
    Pattern line = Pattern.compile("^" + name + "(?:\\{.*})? (\\S+)$", Pattern.MULTILINE);
    return line.matcher(page).results().mapToDouble(m -> Double.parseDouble(m.group(1))).sum();
  }

  /** SIGTERM; the exit status. */
  int terminate() throws InterruptedException {
    process.destroy();
    return process.waitFor();
  }

  /** SIGTERM, without waiting. */
  void askToStop() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGSTOP: it does nothing any more, and does not know it. */
  void freeze() throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
    if (status != 0) {
      throw new AssertionError("kill -STOP: " + status);
    }
  }

  /** The exit status; waits for it. */
  int awaitExit() throws InterruptedException {
    return process.waitFor();
  }

  /** Waits until it ends, or so long. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
