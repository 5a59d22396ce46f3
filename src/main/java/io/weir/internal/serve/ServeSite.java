package io.weir.internal.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.ops.Reply;
import io.weir.internal.ops.ServeMetric;
import io.weir.internal.ops.Site;
import io.weir.internal.ops.SiteRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPOutputStream;

/**
 * All that is answered: the page and its files to everybody, the API to those who may read. Every
 * answer has the headers that keep foreign pages out. Safe for many threads.
 */
final class ServeSite implements Site {
  private static final String CSP =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  private static final Map<String, String> SECURITY =
      Map.of(
          "Content-Security-Policy", CSP,
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin");
  private static final Set<String> VIEWS = Set.of("overview", "alarms", "sensors");
  private static final String STREAM = "stream";
  private static final String EXPLAIN = "explain";
  private static final String JSON = "application/json";
  private static final String EVENTS = "text/event-stream";

  private final Api api;
  private final EventStreams streams;
  private final Access access;
  private final Assets assets = new Assets();
  private final MeterRegistry registry;
  private final LongAdder answered = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  ServeSite(Api api, EventStreams streams, Access access, MeterRegistry registry) {
    this.api = api;
    this.streams = streams;
    this.access = access;
    this.registry = registry;
  }

  /** Requests that were answered. */
  long answered() {
    return answered.sum();
  }

  /** The time that this took, in all. */
  double nanos() {
    return nanos.sum();
  }

  @Override
  public Reply reply(SiteRequest request) {
    long start = System.nanoTime();
    Reply reply;
    try {
      reply = answer(request);
    } catch (Problem e) {
      reply = e.reply();
    }
    count(request, reply.status(), System.nanoTime() - start);
    return secured(reply);
  }

  @Override
  public Reply broken() {
    return secured(Problem.of(500, "the answer failed; the log of weir serve says why").reply());
  }

  private void count(SiteRequest request, int status, long took) {
    answered.increment();
    nanos.add(took);
    String path = request.uri().getPath();
    String api = apiPath(path == null ? "" : path);
    Counter.builder(ServeMetric.REQUESTS.meterName())
        .description(ServeMetric.REQUESTS.meaning())
        .tag("path", this.api.has(api) || api.equals(STREAM) ? api : "page")
        .tag("status", Integer.toString(status))
        .register(registry)
        .increment();
  }

  private static String apiPath(String path) {
    return path.startsWith(Api.PATH) ? path.substring(Api.PATH.length()) : "";
  }

  private static Reply secured(Reply reply) {
    Map<String, String> headers = new HashMap<>(SECURITY);
    headers.put("Cache-Control", "no-store");
    headers.putAll(reply.headers());
    if (reply instanceof Reply.Bytes bytes) {
      return new Reply.Bytes(bytes.status(), bytes.contentType(), bytes.body(), headers);
    }
    Reply.Stream stream = (Reply.Stream) reply;
    return new Reply.Stream(stream.contentType(), headers, stream.writer());
  }

  private Reply answer(SiteRequest request) {
    access.checkHost(request);
    String path = request.uri().getPath();
    String method = request.method();
    if (path == null) {
      throw Problem.of(404, "no such page");
    }
    if (request.body().length > MAX_BODY_BYTES) {
      throw Problem.of(413, "the body is larger than " + MAX_BODY_BYTES + " bytes");
    }
    if (path.equals("/login") || path.equals("/logout")) {
      if (!method.equals("POST")) {
        throw Problem.of(405, "expected: POST", Map.of("Allow", "POST"));
      }
      return path.equals("/login") ? access.login(request) : access.logout(request);
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      throw Problem.of(405, "expected: GET or HEAD", Map.of("Allow", "GET, HEAD"));
    }
    if (path.startsWith(Api.PATH)) {
      return ofApi(request, apiPath(path));
    }
    boolean gzip = request.header("Accept-Encoding").orElse("").contains("gzip");
    return assets.find(path, gzip).orElseThrow(() -> Problem.of(404, "no such page"));
  }

  private Reply ofApi(SiteRequest request, String path) {
    String client = access.client(request);
    if (path.equals(STREAM)) {
      requireAccepted(request, EVENTS);
      return stream(request, client);
    }
    if (!api.has(path)) {
      throw Problem.of(404, "no such path of the API");
    }
    if (path.equals(EXPLAIN) && accept(request).contains(EVENTS)) {
      return streams.ofExplanation(key(request, client), request.uri().getRawQuery());
    }
    requireAccepted(request, JSON);
    return new Reply.Bytes(200, JSON, api.answer(path, request.uri().getRawQuery()), Map.of());
  }

  private static void requireAccepted(SiteRequest request, String type) {
    String accept = accept(request);
    String any = type.substring(0, type.indexOf('/')) + "/*";
    if (!accept.isBlank()
        && !accept.contains("*/*")
        && !accept.contains(any)
        && !accept.contains(type)) {
      throw Problem.of(406, "expected: Accept: " + type);
    }
  }

  private static String accept(SiteRequest request) {
    return request.header("Accept").orElse("").toLowerCase(Locale.ROOT);
  }

  /** Streams are counted by it. */
  private static String key(SiteRequest request, String client) {
    return client.equals("local") ? "local " + request.client().getHostAddress() : client;
  }

  private Reply stream(SiteRequest request, String client) {
    String query = request.uri().getRawQuery();
    String key = key(request, client);
    String view = "";
    List<String> others = new ArrayList<>();
    for (String part : query == null ? new String[0] : query.split("&", -1)) {
      if (part.startsWith("view=")) {
        view = part.substring("view=".length());
      } else {
        others.add(part);
      }
    }
    if (!view.isEmpty()) {
      if (!VIEWS.contains(view)) {
        throw Problem.parameter("view", "expected: overview, alarms or sensors");
      }
      return streams.ofView(key, view, String.join("&", others));
    }
    String id = Parameters.of(query, Set.of("id")).id();
    return streams.ofSensor(key, id, request.header("Last-Event-ID").orElse(""));
  }

  /**
   * The files of the page: resources by known names, so that no path leads elsewhere. Their address
   * has the revision of all of them, and may be kept forever.
   */
  static final class Assets {
    private static final List<String> NAMES =
        List.of(
            "app.js",
            "api.js",
            "chart.js",
            "dom.js",
            "format.js",
            "views.js",
            "weir.css",
            "icon.svg");
    private static final String FOLDER = "/web/";
    private static final String REVISION = "@REVISION@";

    private final Map<String, Asset> byPath = new HashMap<>();
    private final Asset page;

    /** A file, as it is and compressed. */
    private record Asset(String type, byte[] plain, byte[] gzip, String caching) {}

    /** Reads all of them. */
    Assets() {
      Map<String, byte[]> contents = new HashMap<>();
      NAMES.forEach(name -> contents.put(name, read(name)));
      String revision = revision(contents);
      contents.forEach(
          (name, content) ->
              byPath.put(
                  "/assets/" + revision + "/" + name,
                  asset(name, content, "public, max-age=31536000, immutable")));
      String html = new String(read("index.html"), StandardCharsets.UTF_8);
      page =
          asset(
              "index.html",
              html.replace(REVISION, revision).getBytes(StandardCharsets.UTF_8),
              "no-cache");
    }

    private static byte[] read(String name) {
      try (InputStream in = Assets.class.getResourceAsStream(FOLDER + name)) {
        if (in == null) {
          throw new IllegalStateException("no resource " + FOLDER + name);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String revision(Map<String, byte[]> contents) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        NAMES.forEach(name -> digest.update(contents.get(name)));
        return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e); // Every JDK has it.
      }
    }

    private static Asset asset(String name, byte[] content, String caching) {
      String type =
          switch (name.substring(name.lastIndexOf('.'))) {
            case ".js" -> "text/javascript; charset=utf-8";
            case ".css" -> "text/css; charset=utf-8";
            case ".svg" -> "image/svg+xml";
            default -> "text/html; charset=utf-8";
          };
      ByteArrayOutputStream gzip = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
        out.write(content);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // Memory never throws.
      }
      return new Asset(type, content, gzip.toByteArray(), caching);
    }

    /** The file at a path; empty if there is none. */
    Optional<Reply> find(String path, boolean gzip) {
      Asset asset = path.equals("/") ? page : byPath.get(path);
      return Optional.ofNullable(asset).map(found -> reply(found, gzip));
    }

    private static Reply reply(Asset asset, boolean gzip) {
      Map<String, String> headers =
          new HashMap<>(Map.of("Cache-Control", asset.caching(), "Vary", "Accept-Encoding"));
      if (gzip) {
        headers.put("Content-Encoding", "gzip");
      }
      return new Reply.Bytes(200, asset.type(), gzip ? asset.gzip() : asset.plain(), headers);
    }
  }
}
