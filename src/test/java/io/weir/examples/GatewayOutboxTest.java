package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the gateways in src/examples keep where brokers are silent and processes are killed. */
@Timeout(600)
class GatewayOutboxTest {
  private static final int READINGS = 900;
  private static final Path RESOURCES = Path.of("src/test/resources/io/weir/examples");

  @TempDir private Path dir;

  @Test
  void pythonGateway_withASilentBroker_keepsWhatItReadsWithinATick() throws Exception {
    checkKeeps(GatewayPrograms.python(dir));
  }

  @Test
  void nodeGateway_withASilentBroker_keepsWhatItReadsWithinATick() throws Exception {
    checkKeeps(GatewayPrograms.node());
  }

  @Test
  void pythonGateway_startsWithWhatAKillLeft_andTellsBytesThatAreNoText() throws Exception {
    checkStarts(GatewayPrograms.python(dir));
  }

  @Test
  void nodeGateway_startsWithWhatAKillLeft_andTellsBytesThatAreNoText() throws Exception {
    checkStarts(GatewayPrograms.node());
  }

  @Test
  void pythonGateway_withAFullDisk_keepsEverythingOnceThereIsRoom() throws Exception {
    List<String> program = new ArrayList<>(GatewayPrograms.python(dir));
    program.addAll(1, List.of(RESOURCES.resolve("full_disk.py").toString(), full().toString()));
    checkFullDisk(program);
  }

  @Test
  void nodeGateway_withAFullDisk_keepsEverythingOnceThereIsRoom() throws Exception {
    List<String> program = new ArrayList<>(GatewayPrograms.node());
    String preload = RESOURCES.resolve("full_disk.cjs").toAbsolutePath().toString();
    program.addAll(1, List.of("--require", preload));
    checkFullDisk(program);
  }

  private void checkFullDisk(List<String> program) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Process gateway = start(program, silent.getLocalPort(), "30000");
      try (OutputStream in = gateway.getOutputStream();
          BufferedReader said = gateway.errorReader()) {
        in.write(line("sensor", 1));
        in.flush();
        awaitKept(1);
        Files.createFile(full());
        for (int i = 2; i <= READINGS; i++) {
          in.write(line("sensor-" + i % 50, i));
        }
        in.flush();
        assertThat(said.readLine()).startsWith("not kept yet");
        assertThat(said.readLine()).startsWith("not kept yet");
        Files.delete(full());
        awaitKept(READINGS);
        gateway.destroyForcibly().waitFor();
      }
      assertThat(keptReadings()).isEqualTo(READINGS);
    }
  }

  /** Where it is, the disk is full. */
  private Path full() {
    return dir.resolve("full");
  }

  /** Killed, it has lost nothing of what it read before, though nothing was acknowledged. */
  private void checkKeeps(List<String> program) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Process gateway = start(program, silent.getLocalPort(), "30000");
      try (OutputStream in = gateway.getOutputStream()) {
        for (int i = 1; i <= READINGS; i++) {
          in.write(line("sensor-" + i % 50, i));
          in.flush();
          if (i % 100 == 0) {
            awaitKept(i);
          }
        }
        gateway.destroyForcibly().waitFor();
      } catch (IOException closed) {
        assertThat(gateway.isAlive()).isFalse();
      }
      assertThat(keptReadings()).isEqualTo(READINGS);
    }
  }

  private void checkStarts(List<String> program) throws Exception {
    Files.write(dir.resolve("5-1782579200000000000-1.new"), new byte[] {1, 2, 3});
    Files.write(dir.resolve("1782579200000000000-1.new"), new byte[0]);
    Files.write(dir.resolve("boot_id.new"), new byte[0]);
    int port;
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = nobody.getLocalPort();
    }
    Process gateway = start(program, port, "500");
    try (OutputStream in = gateway.getOutputStream()) {
      in.write(
          "{\"sensor_id\":\"a\u00e4\",\"timestamp_ms\":1,\"value\":1}\n"
              .getBytes(StandardCharsets.ISO_8859_1));
      in.write(line("pump", 1));
    }
    String said = new String(gateway.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(gateway.waitFor()).as(said).isEqualTo(1);

    assertThat(said.lines().filter(line -> line.startsWith("bad line"))).hasSize(1);
    assertThat(keptReadings()).isEqualTo(1);
    assertThat(outbox().names()).noneMatch(name -> name.endsWith(".new"));
  }

  private Process start(List<String> program, int port, String timeoutMs) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(
        List.of(
            "--gateway-id=outbox",
            "--outbox=" + dir,
            "--bootstrap-servers=127.0.0.1:" + port,
            "--timeout-ms=" + timeoutMs));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("FULL", full().toString());
    return builder.start();
  }

  private static byte[] line(String sensor, int timestampMs) {
    return "{\"sensor_id\":\"%s\",\"timestamp_ms\":%d,\"value\":1}\n"
        .formatted(sensor, timestampMs)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void awaitKept(int readings) throws IOException {
    Await.until(() -> keptReadings() >= readings);
  }

  private int keptReadings() throws IOException {
    return outbox().readings();
  }

  private OutboxFiles outbox() {
    return new OutboxFiles(dir);
  }
}
