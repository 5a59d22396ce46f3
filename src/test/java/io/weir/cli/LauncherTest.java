package io.weir.cli;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher of a checkout and of the zip: it builds and starts with the tools of other systems,
 * and an archive of classes never makes a start fail. Maven is a script here.
 */
class LauncherTest {
  private static final String ANSWER = "cam-1142\t19\n";

  /** Options and texts that the tools of GNU alone understand. */
  private static final Map<String, String> OF_GNU =
      Map.of(
          "sed", "--*|*\\\\n*|-r|-i",
          "readlink", "-f|-e|-m|--?*",
          "find", "-quit|-printf|-maxdepth=*|-readable",
          "grep", "-P|-m|--?*",
          "touch", "-d|--?*",
          "paste", "-z|--?*",
          "head", "-z|-n-*|--?*");

  /** What bash 3.2 of macOS does not know. */
  private static final String NEWER_BASH =
      "mapfile|readarray|coproc|(declare|local) -[Ang]|\\$\\{\\w+(,|\\^|@)|&>>|\\|&|wait -n|EPOCH";

  @TempDir private Path home;

  /** A Java without archives, which take ten times the CPU of a start. */
  private Path java;

  @BeforeEach
  void checkout() throws IOException {
    for (String directory : List.of("proto", "src/main", "src/lab", "src/dist", "bin", "lib")) {
      Files.createDirectories(home.resolve(directory));
    }
    Files.createFile(home.resolve("pom.xml"));
    for (String script : List.of("weir", "src/dist/weir")) {
      copyScript(Path.of(script), home.resolve(script));
    }
    Path real = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.createDirectories(home.resolve("quick/bin"));
    script(
        "quick/bin/java",
        "case \"$*\" in *-Xshare:dump*|*-XX:DumpLoadedClassList=*) exit 1 ;; esac",
        "exec '" + real + "' \"$@\"");
    java = home.resolve("quick");
    List<String> jars = jars();
    script(
        "bin/mvn",
        "mkdir -p target",
        "ln -s '%s' target/classes".formatted(Path.of("target/classes").toAbsolutePath()),
        "ln -s '%s' target/lab-classes".formatted(Path.of("target/lab-classes").toAbsolutePath()),
        "printf %s '" + String.join(":", jars) + "' >target/weir.classpath.runtime",
        "printf %s '" + jars.get(0) + "' >target/weir.classpath.compile");
  }

  @Test
  void launcher_usesNoOptionOfGnuAlone() throws Exception {
    for (Map.Entry<String, String> tool : OF_GNU.entrySet()) {
      script(
          "bin/" + tool.getKey(),
          "for word; do case $word in",
          tool.getValue() + ") echo \"" + tool.getKey() + ": illegal $word\" >&2; exit 1 ;;",
          "esac; done",
          "exec " + found(tool.getKey()) + " \"$@\"");
    }

    startsAndBuildsOnce();
  }

  @Test
  void launcher_runsWithToolsOfBusybox() throws Exception {
    String busybox = found("busybox");
    assumeTrue(busybox != null, "no busybox on this machine");
    List<String> tools = WeirProcess.ended(new ProcessBuilder(busybox, "--list").start()).lines();
    assertThat(tools).contains("awk", "find", "grep", "head", "readlink", "touch");
    for (String tool : tools) {
      if (!tool.equals("busybox") && !Files.exists(home.resolve("bin/" + tool))) {
        script("bin/" + tool, "exec '" + busybox + "' '" + tool + "' \"$@\"");
      }
    }

    startsAndBuildsOnce();
  }

  @Test
  void launcher_usesNothingThatBash32Lacks() throws Exception {
    for (String script : List.of("weir", "src/dist/weir")) {
      assertThat(Files.readString(Path.of(script))).doesNotContainPattern(NEWER_BASH);
    }
  }

  @Test
  void archive_isMadeOnceAndNeverMakesAStartFail() throws Exception {
    java = Path.of(System.getProperty("java.home"));
    startsAndBuildsOnce();
    Await.until(() -> archives("start", ".jsa").size() == 1);
    Path archive = archives("start", ".jsa").get(0);

    startsInSilence("weir");
    for (byte[] broken : List.of(new byte[0], new byte[100_000])) {
      Files.delete(archive);
      Files.write(archive, broken);
      startsInSilence("weir");
    }
    Files.delete(archive);
    startsInSilence("weir");
    assertThat(archives("start", "")).hasSize(1); // The list says that it was tried.
  }

  @Test
  void firstReplay_listsItsClasses_andTheSecondMakesTheArchive() throws Exception {
    startsAndBuildsOnce();

    java = Path.of(System.getProperty("java.home"));
    WeirProcess.Ended first = start("weir", "replay", "--help");
    assertThat(first.err()).isEmpty();
    assertThat(archives("replay", ".list")).hasSize(1);
    assertThat(start("weir", "replay", "--help")).isEqualTo(first);
    Await.until(() -> archives("replay", ".jsa").size() == 1);
    assertThat(start("weir", "replay", "--help")).isEqualTo(first);
    assertThat(archives("replay", "")).hasSize(2); // The archive, and that it was tried.
  }

  @Test
  void zip_startsFromItsJarsAndThroughALink() throws Exception {
    for (String jar : jars()) {
      Path name = Path.of(jar).getFileName();
      if (name.toString().matches("(picocli|kafka-clients|slf4j|logback|protobuf|micrometer).*")) {
        Files.copy(Path.of(jar), home.resolve("lib").resolve(name), REPLACE_EXISTING);
      }
    }
    jar(Path.of("target/classes"), home.resolve("lib/weir.jar"));
    copyScript(Path.of("src/dist/weir"), home.resolve("real weir"));
    Files.createSymbolicLink(home.resolve("bin/linked"), Path.of("../real weir"));
    Files.delete(home.resolve("bin/mvn"));

    startsInSilence("bin/linked");
  }

  private void startsAndBuildsOnce() throws Exception {
    WeirProcess.Ended first = start("weir", "partition", "cam-1142");
    assertThat(first.err()).matches("weir: building in [^\n]*\n");
    assertThat(first.out()).isEqualTo(ANSWER);
    startsInSilence("weir");
  }

  private void startsInSilence(String launcher) throws Exception {
    assertThat(start(launcher, "partition", "cam-1142"))
        .isEqualTo(new WeirProcess.Ended(0, ANSWER, ""));
  }

  private WeirProcess.Ended start(String launcher, String... words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(home.resolve(launcher).toString());
    builder.command().addAll(List.of(words));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.matches("(WEIR|KAFKA)_.*|J.*_OPTIONS"));
    environment.put("JAVA_HOME", java.toString());
    environment.put("PATH", home.resolve("bin") + ":" + environment.get("PATH"));
    return WeirProcess.ended(builder.start());
  }

  private List<Path> archives(String kind, String end) throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("target"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("weir-" + kind + "-"))
          .filter(file -> file.toString().endsWith(end))
          .toList();
    }
  }

  private void script(String name, String... lines) throws IOException {
    Path script = home.resolve(name);
    Files.writeString(script, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private static void copyScript(Path from, Path to) throws IOException {
    Files.copy(from, to);
    assertThat(to.toFile().setExecutable(true)).isTrue();
  }

  private static void jar(Path classes, Path jar) throws Exception {
    ToolProvider.findFirst("jar")
        .orElseThrow()
        .run(System.out, System.err, "-c", "-0", "-f", jar.toString(), "-C", classes + "", ".");
  }

  private static List<String> jars() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> jars = new ArrayList<>(List.of(classPath.split(File.pathSeparator)));
    jars.removeIf(entry -> !entry.endsWith(".jar"));
    return jars;
  }

  /** A tool of this machine, or null. */
  private static String found(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(directory -> Path.of(directory, tool).toString())
        .filter(file -> new File(file).canExecute())
        .findFirst()
        .orElse(null);
  }
}
