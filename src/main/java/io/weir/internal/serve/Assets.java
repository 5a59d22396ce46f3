package io.weir.internal.serve;

import io.weir.internal.ops.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * The files of the page: resources by known names, so that no path leads elsewhere. Their address
 * has the revision of all of them, and may be kept forever.
 */
final class Assets {
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
