package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What signals do to the demo, and to the PostgreSQL that it starts. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DemoSignalsTest {
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)/postgres");

  @Test
  void ctrlC_endsTheDemoWithASelect_andLeavesNoServer() throws Exception {
    Process demo =
        inOwnGroup(
            WeirProcess.command(
                "demo", "--postgres", "--plain", "--sensors", "50", "--rate", "500"));
    try (BufferedReader err = demo.errorReader(StandardCharsets.UTF_8)) {
      List<String> said = new ArrayList<>();
      int port = awaitPort(err, said);
      while (!said.get(said.size() - 1).contains("in windows")) {
        said.add(line(err, said));
      }
      signal("INT", "-" + demo.pid());
      err.lines().forEach(said::add);

      assertThat(said)
          .anyMatch(line -> line.endsWith("ORDER BY sensor_id;"))
          .anyMatch(line -> line.contains("weir_windows has "))
          .anyMatch(line -> line.contains(" machine-1/temperature  "));
      assertThat(demo.waitFor()).as(String.join("\n", said)).isZero();
      awaitRefused(port);
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void killedProcess_takesItsServerWithIt_andTheFiles() throws Exception {
    List<String> command = WeirProcess.command();
    command.set(command.size() - 1, Server.class.getName());
    Process process = inOwnGroup(command);
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> said = new ArrayList<>();
      int port = awaitPort(out, said);
      Path directory = Path.of(line(out, said));
      assertThat(directory).isDirectory();
      signal("INT", "-" + process.pid());
      assertThat(line(out, said)).isEqualTo("answers after SIGINT");
      signal("KILL", Long.toString(process.pid()));
      awaitRefused(port);
      Await.until(() -> !Files.exists(directory));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that takes no notice of SIGINT while it is in its hook, with a server. */
  static final class Server {
    private Server() {}

    public static void main(String[] arguments) throws Exception {
      EmbeddedPostgres postgres = EmbeddedPostgres.start();
      System.out.println(postgres.psqlUrl());
      try (var connection = postgres.connect();
          var statement = connection.createStatement();
          var result = statement.executeQuery("show data_directory")) {
        result.next();
        System.out.println(Path.of(result.getString(1)).getParent());
      }
      Thread hook =
          new Thread(
              () -> {
                try (var connection = postgres.connect()) {
                  System.out.println(
                      connection.isValid(5) ? "answers after SIGINT" : "does not answer");
                } catch (Exception e) {
                  System.out.println(e.getMessage());
                }
                LockSupport.park();
              });
      Runtime.getRuntime().addShutdownHook(hook);
      while (true) {
        LockSupport.park();
      }
    }
  }

  /** As a shell in a terminal starts it: signals of the terminal go to the whole group. */
  private static Process inOwnGroup(List<String> program) throws IOException {
    List<String> command = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
    command.addAll(program);
    return new ProcessBuilder(command).start();
  }

  private static int awaitPort(BufferedReader from, List<String> said) throws IOException {
    while (true) {
      String line = line(from, said);
      said.add(line);
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
  }

  private static String line(BufferedReader from, List<String> said) throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new AssertionError("it ended; it said: " + String.join("\n", said));
    }
    return line;
  }

  private static void signal(String name, String target) throws Exception {
    String command = "kill -" + name + " -- " + target;
    assertThat(new ProcessBuilder("bash", "-c", command).inheritIO().start().waitFor()).isZero();
  }

  private static void awaitRefused(int port) throws IOException {
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port));
      } catch (ConnectException e) {
        return;
      }
      Await.pause();
    }
  }
}
