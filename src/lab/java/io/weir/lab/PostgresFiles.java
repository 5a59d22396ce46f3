package io.weir.lab;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The programs of PostgreSQL, unpacked from their jar, and the files of an empty server. Both take
 * seconds of CPU. So the first start of a build makes them beside the compiled classes, and each
 * server starts from a copy of the empty one. All servers of a build have the same system
 * identifier. Thread-safe, also among processes.
 */
final class PostgresFiles {
  private static final String BINARIES =
      "/postgres-%s-%s.txz"
          .formatted(
              System.getProperty("os.name").startsWith("Mac") ? "darwin" : "linux",
              System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64");

  private final Path directory;

  private PostgresFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * The shared files, made if they are missing.
   *
   * @param own a directory for files that cannot be shared, where Weir runs from a jar
   */
  static synchronized PostgresFiles in(Path own) throws IOException {
    URL binaries = PostgresFiles.class.getResource(BINARIES);
    if (binaries == null) {
      throw new IOException("its binaries are not on the class path");
    }
    Path build = ClassArchive.buildDirectory();
    if (build == null) {
      return make(binaries, own);
    }
    Path shared = build.resolve("weir-postgres-%08x".formatted(binaries.toString().hashCode()));
    try (FileChannel channel =
            FileChannel.open(
                build.resolve("weir-postgres.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (lock.isValid() && Files.notExists(shared)) {
        Path made = shared.resolveSibling(shared.getFileName() + ".new");
        if (Files.exists(made)) { // Of a start that was killed.
          TemporaryDirectory.delete(made);
        }
        make(binaries, Files.createDirectory(made));
        Files.move(made, shared, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return new PostgresFiles(shared);
  }

  /** Copies the files of the empty server. */
  void copyEmpty(Path data) throws IOException {
    Path empty = directory.resolve("empty");
    Files.walkFileTree(
        empty,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            return copy(from);
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            return copy(from);
          }

          private FileVisitResult copy(Path from) throws IOException {
            Path to = data.resolve(empty.relativize(from));
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** A start of one of the programs; for root in a user namespace. */
  ProcessBuilder program(String name, List<String> arguments) {
    List<String> command = PostgresGuard.ownSession();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(directory.resolve("bin").resolve(name).toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static PostgresFiles make(URL binaries, Path directory) throws IOException {
    try (InputStream packed = binaries.openStream()) {
      unpack(packed, directory);
    }
    PostgresFiles files = new PostgresFiles(directory);
    files.initialise();
    return files;
  }

  private void initialise() throws IOException {
    Path log = directory.resolve("initdb.log");
    String empty = directory.resolve("empty").toString();
    Process initdb =
        program(
                "initdb",
                List.of(
                    "-D",
                    empty,
                    "-U",
                    EmbeddedPostgres.USER,
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync"))
            .redirectOutput(log.toFile())
            .start();
    try {
      if (initdb.waitFor() != 0) {
        throw new IOException("initdb failed: " + Files.readString(log).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void unpack(InputStream packed, Path into) throws IOException {
    TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(packed)));
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      Path path = into.resolve(entry.getName());
      if (entry.isDirectory()) {
        Files.createDirectories(path);
        continue;
      }
      Files.createDirectories(path.getParent());
      if (entry.isSymbolicLink()) {
        Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      } else {
        Files.copy(tar, path);
        boolean executable = (entry.getMode() & 0100) != 0;
        Files.setPosixFilePermissions(
            path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }
}
