package io.weir.internal.serve;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A headless Chromium with one page at a time, over the DevTools protocol. */
final class Chromium implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LISTENING = "DevTools listening on ";

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private String context;
  private String session;
  private int sent;

  private Chromium(Process process, URI address) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, new Inbox()).join();
  }

  /** Opens a page that shares nothing with those before. */
  void openPage() {
    context = call("Target.createBrowserContext", Map.of()).get("browserContextId").asText();
    String target =
        call("Target.createTarget", Map.of("url", "about:blank", "browserContextId", context))
            .get("targetId")
            .asText();
    session =
        call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .get("sessionId")
            .asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", Map.of());
    }
  }

  /** Closes it and forgets what it said. */
  void closePage() {
    session = null;
    call("Target.disposeBrowserContext", Map.of("browserContextId", context));
    errors.clear();
    requests.clear();
  }

  /** The program, by WEIR_CHROMIUM or on the path; empty if there is none. */
  static Optional<Path> find() {
    String given = System.getenv("WEIR_CHROMIUM");
    if (given != null) {
      return Optional.of(Path.of(given));
    }
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(folder -> Stream.of(Path.of(folder, "chromium"), Path.of(folder, "google-chrome")))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Chromium start(Path program, Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(
        List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--no-first-run",
            "--remote-debugging-port=0",
            "--user-data-dir=" + folder,
            "about:blank"));
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader log =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread rest = new Thread(() -> log.lines().forEach(any -> {}), "chromium-log");
        rest.setDaemon(true);
        rest.start();
        return new Chromium(process, URI.create(line.substring(LISTENING.length())));
      }
    }
    process.destroyForcibly();
    throw new IOException(program + " ended without a DevTools port");
  }

  private final class Inbox implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          take(JSON.readTree(text.toString()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        text.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private void take(JsonNode message) {
    if (message.has("id")) {
      answers.get(message.get("id").asInt()).complete(message);
      return;
    }
    JsonNode of = message.path("params");
    switch (message.path("method").asText()) {
      case "Runtime.exceptionThrown" -> errors.add(of.path("exceptionDetails").toString());
      case "Runtime.consoleAPICalled" -> {
        if (List.of("error", "warning", "assert").contains(of.path("type").asText())) {
          errors.add(of.path("args").toString());
        }
      }
      case "Log.entryAdded" -> errors.add(of.path("entry").toString());
      case "Network.requestWillBeSent" -> requests.add(of.at("/request/url").asText());
      default -> {}
    }
  }

  private JsonNode call(String method, Map<String, Object> parameters) {
    int id = ++sent;
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    if (session != null) {
      message.put("sessionId", session);
    }
    socket.sendText(message.toString(), true).join();
    JsonNode answered = answer.join();
    if (answered.has("error")) {
      throw new AssertionError(method + ": " + answered.get("error"));
    }
    return answered.get("result");
  }

  void show(String url, int width, int height, boolean dark) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    call("Page.navigate", Map.of("url", "about:blank"));
    call("Page.navigate", Map.of("url", url));
  }

  /** The value of an expression of JavaScript, or of its promise. */
  JsonNode value(String expression) {
    return call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true))
        .at("/result/value");
  }

  void await(String expression) {
    Await.until(() -> value(expression).asBoolean());
  }

  /** Presses and releases a key. */
  void press(String key) {
    for (String type : List.of("keyDown", "keyUp")) {
      boolean isText = key.length() == 1 && type.equals("keyDown");
      call(
          "Input.dispatchKeyEvent",
          isText
              ? Map.of("type", type, "key", key, "text", key)
              : Map.of(
                  "type", type, "key", key, "windowsVirtualKeyCode", key.equals("Tab") ? 9 : 0));
    }
  }

  void screenshot(Path file, boolean whole) throws IOException {
    String data =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole))
            .get("data")
            .asText();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(data));
  }

  /** Errors of the console, exceptions, and violations of the content security policy. */
  List<String> errors() {
    return errors;
  }

  List<String> requests() {
    return requests;
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
