package io.weir.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command weir of the image, which operators call in a container that runs already. */
class ImageCommandTest {
  private static final Path COMMAND = Path.of("src/main/jib/usr/local/bin/weir");

  @TempDir private Path bin;

  @Test
  void command_startsWeir_asTheEntrypointDoes_inLittleMemory() throws Exception {
    List<String> words = started("");

    assertThat(words)
        .startsWith("-XX:Flags=/app/jvm.flags")
        .contains("-Xmx128m")
        .endsWith(
            "-cp",
            "@/app/jib-classpath-file",
            "io.weir.cli.Weir",
            "tail",
            "late",
            "two words",
            "-n5");
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(words.stream().filter(word -> word.startsWith("-XX:Flags") || word.startsWith("--")))
        .hasSize(3)
        .allSatisfy(word -> assertThat(pom).contains("<jvmFlag>" + word + "</jvmFlag>"));
    assertThat(pom).contains("<file>/usr/local/bin/weir</file>");
  }

  @Test
  void command_takesOptionsForJava() throws Exception {
    assertThat(started("-Xmx1g -Xlog:gc"))
        .contains("-Xmx1g", "-Xlog:gc")
        .doesNotContain("-Xmx128m");
  }

  private List<String> started(String options) throws IOException, InterruptedException {
    Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder =
        new ProcessBuilder("sh", COMMAND.toString(), "tail", "late", "two words", "-n5");
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().remove("WEIR_JAVA_OPTS");
    if (!options.isEmpty()) {
      builder.environment().put("WEIR_JAVA_OPTS", options);
    }
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).isZero();
    return said.lines().toList();
  }
}
