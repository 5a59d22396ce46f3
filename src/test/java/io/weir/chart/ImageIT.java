package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the image is made of, over its base. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ImageIT {
  @TempDir private static Path root;

  private static ImageTar image;

  @BeforeAll
  static void unpack() throws IOException {
    image = ImageTar.unpack(ImageTar.path(), root);
  }

  @Test
  void itStartsWeir_asNobodyInParticular() {
    List<String> entrypoint = image.configList("/config/Entrypoint");
    assertThat(entrypoint)
        .startsWith("java")
        .contains("-XX:Flags=/app/jvm.flags", "@/app/jib-classpath-file")
        .endsWith("io.weir.cli.Weir");
    assertThat(image.configList("/config/Cmd")).containsExactly("run");
    assertThat(image.config("/config/User")).isEqualTo("65532:65532");
    assertThat(image.config("/config/WorkingDir")).isEqualTo("/");
    assertThat(image.configList("/config/Env"))
        .contains("LC_ALL=C.UTF-8", "WEIR_STATE_DIR=/var/lib/weir");
    assertThat(image.config("/config/Labels/org.opencontainers.image.revision"))
        .isEqualTo(System.getProperty("weir.revision"));
    assertThat(image.config("/config/Labels/org.opencontainers.image.version")).isNotBlank();
  }

  /** What it sets holds without a word of anybody's, and gives way to JAVA_TOOL_OPTIONS. */
  @Test
  void optionsOfTheImage_giveWayToTheEnvironment() throws Exception {
    assertThat(flags(""))
        .contains("MaxRAMPercentage=70.000000", "ExitOnOutOfMemoryError=true", "UsePerfData=false");
    assertThat(flags("-XX:MaxRAMPercentage=50 -XX:-ExitOnOutOfMemoryError"))
        .contains("MaxRAMPercentage=50.000000", "ExitOnOutOfMemoryError=false");
  }

  private static Set<String> flags(String toolOptions) throws Exception {
    List<String> command = image.command(root);
    command.add("--version");
    return JavaFlags.of(command, toolOptions);
  }

  /** What is seldom new comes first, so that a new release is a small layer for a registry. */
  @Test
  void librariesAndApplicationAreLayersOfTheirOwn() {
    List<Set<Path>> jars =
        image.layers().stream()
            .map(ImageIT::directoriesOfJars)
            .filter(directories -> !directories.isEmpty())
            .toList();
    assertThat(jars).containsExactly(Set.of(Path.of("app/libs")), Set.of(Path.of("app/classpath")));
  }

  @Test
  void nobodyButRootMayWrite_andNoTimeIsThatOfTheBuild() {
    for (List<TarArchiveEntry> layer : image.layers()) {
      assertThat(layer)
          .allSatisfy(
              entry -> {
                assertThat(entry.getMode() & 0022).as(entry.getName()).isZero();
                assertThat(entry.getLongUserId()).as(entry.getName()).isZero();
                assertThat(entry.getLastModifiedTime().toMillis())
                    .as(entry.getName())
                    .isLessThan(10_000);
              });
    }
  }

  @Test
  void neitherBrokerNorTestsNorUnusedNativeStoreAreInIt() throws IOException {
    assertThat(libraries())
        .anyMatch(name -> name.startsWith("kafka-streams-"))
        .anyMatch(name -> name.startsWith("jose4j-"))
        .noneMatch(name -> name.matches("(kafka_2|kafka-server|rocksdbjni|junit|assertj|jmh).*"));
    Path application = Path.of(System.getProperty("weir.jar")).getFileName();
    try (JarFile jar = new JarFile(root.resolve("app/classpath").resolve(application).toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .contains("io/weir/cli/Weir.class")
          .noneMatch(name -> name.startsWith("io/weir/lab/"));
    }
  }

  @Test
  void theBillOfMaterialsListsExactlyItsLibraries() throws IOException {
    Path written = Path.of(System.getProperty("weir.sbom"));
    assumeTrue(Files.exists(written), "Maven writes no bill of materials with --offline");
    Map<String, String> bill = JsonFields.of(Files.readString(written));
    Set<String> listed = new TreeSet<>();
    for (int i = 0; bill.containsKey("/components/" + i + "/name"); i++) {
      String component = "/components/" + i;
      listed.add(bill.get(component + "/name") + "-" + bill.get(component + "/version") + ".jar");
    }
    assertThat(listed).isEqualTo(libraries());
  }

  /** From other sources' paths, from nothing: neither is to be seen in what comes of it. */
  @Test
  void aSecondBuildElsewhereIsTheSame(@TempDir Path elsewhere) throws Exception {
    Path here = Path.of("").toAbsolutePath();
    for (String part : List.of("pom.xml", "proto", "src/main")) {
      copy(here.resolve(part), elsewhere.resolve(part));
    }
    build(elsewhere);
    Path same = elsewhere.resolve("target").resolve(ImageTar.path().getFileName());
    assertThat(Files.mismatch(same, ImageTar.path()))
        .as("first byte that differs in the image")
        .isEqualTo(-1);
  }

  private static Set<Path> directoriesOfJars(List<TarArchiveEntry> layer) {
    return layer.stream()
        .map(entry -> Path.of(entry.getName()))
        .filter(path -> path.toString().endsWith(".jar"))
        .map(Path::getParent)
        .collect(Collectors.toSet());
  }

  private static Set<String> libraries() throws IOException {
    try (Stream<Path> paths = Files.list(root.resolve("app/libs"))) {
      return paths
          .map(path -> path.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void build(Path directory) throws Exception {
    Path log = directory.resolve("build.log");
    Process build =
        new ProcessBuilder(
                System.getProperty("maven.home") + "/bin/mvn",
                "--batch-mode",
                "--offline",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "-Dmaven.test.skip=true",
                "-Dspotless.check.skip=true",
                "-Dassembly.skipAssembly=true",
                "-Dweir.image.base=scratch",
                "-Dweir.revision=" + System.getProperty("weir.revision"),
                "-Pimage",
                "package")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(build.waitFor()).as(() -> read(log)).isZero();
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.createDirectories(copy.getParent());
          Files.copy(path, copy);
        }
      }
    }
  }
}
