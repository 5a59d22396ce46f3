package io.weir.lab;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The classes of the libraries, parsed and verified once for all child processes (class data
 * sharing). A start of {@code weir run} takes a third less CPU with it. The archive lies beside the
 * compiled classes; the first child process of a build makes it, which takes some 15 s of CPU.
 * Thread-safe.
 */
public final class ClassArchive {
  private static final Pattern SHARED =
      Pattern.compile(
          "(org/apache/kafka/(?!shaded|common/message/.*JsonConverter)|com/google/protobuf/"
              + "|io/micrometer/|io/prometheus/metrics/(?!shaded)|org/slf4j/|ch/qos/logback/"
              + "|com/fasterxml/jackson/|org/postgresql/|kafka/|scala/(?!reflect/))[^-]*\\.class");

  private static List<String> options;

  private ClassArchive() {}

  /**
   * The class path of this process, with an archive if there is one.
   *
   * @return options of a JVM, which precede the main class
   */
  public static synchronized List<String> options() {
    if (options == null) {
      options = find();
    }
    return options;
  }

  private static List<String> find() {
    List<String> jars = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    for (String entry : classPath.split(File.pathSeparator)) {
      (entry.endsWith(".jar") ? jars : directories).add(entry);
    }
    // An archive holds for a class path that begins with its own, and knows jars only.
    String libraries = String.join(File.pathSeparator, jars);
    Stream<String> whole = Stream.concat(jars.stream(), directories.stream());
    List<String> found = new ArrayList<>();
    archive(jars, libraries).map(file -> "-XX:SharedArchiveFile=" + file).forEach(found::add);
    found.add("-Xlog:cds=off");
    found.addAll(List.of("-cp", String.join(File.pathSeparator, whole.toList())));
    return List.copyOf(found);
  }

  /** Makes the archive, unless another process does just now. */
  private static Stream<Path> archive(List<String> jars, String libraries) {
    Path directory = buildDirectory();
    if (directory == null) {
      return Stream.empty();
    }
    String name = "weir-classes-%08x".formatted((libraries + Runtime.version()).hashCode());
    Path archive = directory.resolve(name + ".jsa");
    if (Files.exists(archive)) {
      return Stream.of(archive);
    }
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve("weir-classes.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null || !make(jars, libraries, archive)) {
        return Stream.empty();
      }
      return Stream.of(archive);
    } catch (OverlappingFileLockException e) {
      return Stream.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Stream.empty();
    }
  }

  /** The parent of the compiled classes; null in a jar. */
  static Path buildDirectory() {
    try {
      Path classes =
          Path.of(ClassArchive.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(classes) ? classes.getParent() : null;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean make(List<String> jars, String libraries, Path archive)
      throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"));
    List<String> classes = new ArrayList<>();
    Path usual = java.resolve("lib/classlist");
    if (Files.exists(usual)) {
      classes.addAll(Files.readAllLines(usual));
    }
    for (String jar : jars) {
      try (ZipFile zip = new ZipFile(jar)) {
        zip.stream()
            .map(entry -> entry.getName())
            .filter(entry -> SHARED.matcher(entry).matches())
            .map(entry -> entry.substring(0, entry.length() - ".class".length()))
            .forEach(classes::add);
      }
    }
    Path list = Files.write(archive.resolveSibling("weir-classes.txt"), classes);
    Path made = archive.resolveSibling("weir-classes.new");
    Process dump =
        new ProcessBuilder(
                java.resolve("bin/java").toString(),
                "-Xshare:dump",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:SharedClassListFile=" + list,
                "-XX:SharedArchiveFile=" + made,
                "-Xlog:disable",
                "-cp",
                libraries)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (dump.waitFor() != 0) {
      return false;
    }
    Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }
}
