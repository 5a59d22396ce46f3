package io.weir;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each package says of itself: what it is, and which others it uses, which are those that it
 * imports.
 */
class PackageDocTest {
  private static final List<Path> ROOTS =
      List.of(Path.of("src/main/java"), Path.of("src/lab/java"));
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.weir\\.(?:internal\\.)?([a-z0-9]+)");
  private static final Path INTERNAL = Path.of("src/main/java/io/weir/internal");
  private static final Pattern CODE = Pattern.compile("\\{@code (\\w+)}");

  static Stream<Path> packages() throws IOException {
    Set<Path> packages = new TreeSet<>();
    for (Path root : ROOTS) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(file -> packages.add(file.getParent()));
      }
    }
    return packages.stream();
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
    assertThat(sentences).as(doc).hasSizeGreaterThan(1);
    assertThat(doc).matches(".*\\b[Uu]ses .*").endsWith(".");
    String uses = doc.substring(doc.toLowerCase(Locale.ROOT).lastIndexOf("uses "));
    if (!uses.contains("everything")) {
      assertThat(named(uses)).as(doc).isEqualTo(imported(folder));
    }
  }

  private static Set<String> named(String uses) {
    return CODE.matcher(uses)
        .results()
        .map(name -> name.group(1))
        .collect(toCollection(TreeSet::new));
  }

  /** Packages of Weir, without their parts, its own, and the generated messages. */
  private static Set<String> imported(Path folder) throws IOException {
    Set<String> imported = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        IMPORT.matcher(Files.readString(file)).results().forEach(it -> imported.add(it.group(1)));
      }
    }
    imported.removeAll(
        Set.of("v1", folder.getName(folder.startsWith(INTERNAL) ? 6 : 5).toString()));
    return imported;
  }

  @Test
  void thePackages_areThere() throws IOException {
    assertThat(packages())
        .contains(
            Path.of("src/main/java/io/weir/internal/window"), Path.of("src/lab/java/io/weir/lab"));
  }
}
