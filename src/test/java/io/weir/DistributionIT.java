package io.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The zip of mvn package: its commands run without Maven, and with a broker of their own. */
class DistributionIT {
  private static final String READINGS = "sensor_id,timestamp_ms,value\na,1770076800000,1.5\n";

  @TempDir private static Path directory;

  private static Path weir;

  @BeforeAll
  static void unpack() throws Exception {
    try (ZipFile zip = ZipFile.builder().setFile(System.getProperty("weir.zip")).get()) {
      for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
        Path file = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
          continue;
        }
        Files.createDirectories(file.getParent());
        try (InputStream content = zip.getInputStream(entry)) {
          Files.copy(content, file);
        }
        if (file.endsWith("weir")) {
          weir = file;
          assertThat(file.toFile().setExecutable((entry.getUnixMode() & 0100) != 0)).isTrue();
        }
      }
    }
  }

  @Test
  void zip_hasBothLaunchers() throws Exception {
    assertThat(weir).isExecutable();
    String batch = Files.readString(weir.resolveSibling("weir.cmd"));
    assertThat(batch.replace("\r\n", "")).doesNotContain("\n").contains("io.weir.cli.Weir %*");
  }

  @Test
  void noLibrary_isThereTwice() throws Exception {
    try (Stream<Path> jars = Files.list(weir.resolveSibling("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .filteredOn(name -> !name.startsWith("weir-"))
          .extracting(name -> name.replaceFirst("-\\d.*", ""))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void commands_runWithoutMaven() throws Exception {
    assertThat(run("partition", "cam-1142")).isEqualTo("cam-1142\t19\n");
    assertThat(run("--help")).contains("  replay ").doesNotContain("  bench ");
  }

  @Test
  void replay_hasItsBroker() throws Exception {
    Path file = Files.writeString(directory.resolve("readings.csv"), READINGS);
    assertThat(run("replay", file.toString()))
        .contains("\na,1770076800000,1770076810000,1,1.5,1.5,1.5,");
  }

  private static String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(weir.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    CompletableFuture<String> err =
        CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
    String out = text(process.getInputStream());
    assertThat(process.waitFor()).as("%s", err.get()).isZero();
    return out;
  }

  private static String text(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
