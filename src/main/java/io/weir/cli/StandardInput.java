package io.weir.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The standard input, and a check that it is open. If the caller closed descriptor 0, the next file
 * that the JVM opens has this number, and {@code System.in} would read that file.
 */
final class StandardInput {
  private static final Path DESCRIPTOR = Path.of("/proc/self/fd/0");

  private StandardInput() {}

  /** A stream over its channel: unlike for {@code System.in}, a close ends a blocked read. */
  static InputStream open() {
    return Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel());
  }

  /**
   * Checks descriptor 0, if the system has {@code /proc}.
   *
   * @throws IOException if it is closed, or is a file that the JVM opened
   */
  static void requireOpen() throws IOException {
    if (Files.isDirectory(DESCRIPTOR.getParent())) {
      requireOpen(
          DESCRIPTOR,
          Path.of(System.getProperty("java.home")),
          System.getProperty("java.class.path"));
    }
  }

  static void requireOpen(Path descriptor, Path javaHome, String classPath) throws IOException {
    if (!Files.isSymbolicLink(descriptor)) {
      throw closed();
    }
    Path target = Files.readSymbolicLink(descriptor);
    if (target.startsWith(javaHome.toRealPath()) || isOnClassPath(target, classPath)) {
      throw closed();
    }
  }

  private static boolean isOnClassPath(Path target, String classPath) throws IOException {
    for (String entry : classPath.split(Pattern.quote(System.getProperty("path.separator")))) {
      Path path = Path.of(entry);
      if (!entry.isEmpty() && Files.isRegularFile(path) && target.equals(path.toRealPath())) {
        return true;
      }
    }
    return false;
  }

  private static IOException closed() {
    return new IOException("standard input is closed; name a file, or write to the command's pipe");
  }
}
