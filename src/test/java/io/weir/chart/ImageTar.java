package io.weir.chart;

import io.weir.JsonFields;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The image as the build wrote it, in the form that {@code docker load} takes. */
final class ImageTar {
  private final Map<String, String> config;
  private final List<List<TarArchiveEntry>> layers;

  private ImageTar(Map<String, String> config, List<List<TarArchiveEntry>> layers) {
    this.config = config;
    this.layers = layers;
  }

  /** Where the build says it is. */
  static Path path() {
    return Path.of(System.getProperty("weir.image"));
  }

  /** Unpacks the layers into a directory, each over those before it. */
  static ImageTar unpack(Path tar, Path root) throws IOException {
    Map<String, byte[]> parts = parts(tar);
    Map<String, String> manifest = json(parts.get("manifest.json"));
    List<List<TarArchiveEntry>> layers = new ArrayList<>();
    for (int i = 0; manifest.containsKey("/0/Layers/" + i); i++) {
      layers.add(unpackLayer(parts.get(manifest.get("/0/Layers/" + i)), root));
    }
    return new ImageTar(json(parts.get(manifest.get("/0/Config"))), layers);
  }

  private static Map<String, byte[]> parts(Path tar) throws IOException {
    Map<String, byte[]> parts = new LinkedHashMap<>();
    try (TarArchiveInputStream in = tar(Files.newInputStream(tar))) {
      for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        parts.put(entry.getName(), in.readAllBytes());
      }
    }
    return parts;
  }

  private static List<TarArchiveEntry> unpackLayer(byte[] layer, Path root) throws IOException {
    List<TarArchiveEntry> entries = new ArrayList<>();
    try (TarArchiveInputStream in = tar(new GZIPInputStream(new ByteArrayInputStream(layer)))) {
      for (TarArchiveEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.add(entry);
        Path path = root.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(in, path);
        }
      }
    }
    return entries;
  }

  private static TarArchiveInputStream tar(InputStream in) {
    return new TarArchiveInputStream(new BufferedInputStream(in));
  }

  private static Map<String, String> json(byte[] text) throws IOException {
    return JsonFields.of(new String(text, StandardCharsets.UTF_8));
  }

  /** What the image's configuration says at a JSON pointer; null where it says nothing. */
  String config(String pointer) {
    return config.get(pointer);
  }

  /** A list of the configuration. */
  List<String> configList(String pointer) {
    List<String> items = new ArrayList<>();
    for (int i = 0; config.containsKey(pointer + "/" + i); i++) {
      items.add(config.get(pointer + "/" + i));
    }
    return items;
  }

  /**
   * The entrypoint as a command of this machine.
   *
   * @param root where the layers are
   */
  List<String> command(Path root) throws IOException {
    List<String> command = new ArrayList<>(configList("/config/Entrypoint"));
    command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The image's JVM is newer than the oldest that tests run on.
    command.add(1, "-XX:+IgnoreUnrecognizedVMOptions");
    command.replaceAll(word -> word.startsWith("@/") ? classPath(root, word) : word);
    command.replaceAll(word -> word.replace("=/app/", "=" + root.resolve("app") + "/"));
    return command;
  }

  private static String classPath(Path root, String argumentFile) {
    try {
      String classPath = Files.readString(root.resolve(argumentFile.substring("@/".length())));
      return classPath.replace("/app/", root.resolve("app") + "/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<List<TarArchiveEntry>> layers() {
    return layers;
  }
}
