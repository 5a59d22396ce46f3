package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each package says of itself: what it is, and what it may use. */
class PackageDocTest {
  private static final Path SOURCES = Path.of("src/main/java");

  static Stream<Path> packages() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return new TreeSet<>(
              files.filter(file -> file.toString().endsWith(".java")).map(Path::getParent).toList())
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackage_saysWhatItIs_andWhatItUses(Path folder) throws IOException {
    Path file = folder.resolve("package-info.java");
    assertThat(file).exists();
    String source = Files.readString(file);
    String doc =
        source
            .substring(source.indexOf("/**") + 3, source.indexOf("*/"))
            .replaceAll("\n \\*", " ")
            .replaceAll("\\s+", " ")
            .strip();
    List<String> sentences = List.of(doc.split("(?<=\\.) "));
    assertThat(sentences).as(doc).hasSizeBetween(2, 3);
    assertThat(doc).matches(".*\\b[Uu]ses .*|.*\\bneeds .*nothing else\\.").endsWith(".");
  }

  @Test
  void thePackages_areThere() throws IOException {
    assertThat(packages()).contains(SOURCES.resolve("io/weir/window"));
  }
}
