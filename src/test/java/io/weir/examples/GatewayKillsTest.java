package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.lab.EmbeddedKafka;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gateways in src/examples, killed before each of their steps on the disk: first with a broker
 * that never says a word, then with one that acknowledges. What was once whole in the outbox stays
 * there, byte for byte, until it is on the topic, and every start goes on from what a kill left.
 */
@Timeout(900)
class GatewayKillsTest {
  private static final Path KILLERS = Path.of("src/test/resources/io/weir/examples");
  private static final int KILLED = 128 + 9;

  /** The least steps of a start that seals twice. */
  private static final int STEPS = 18;

  @TempDir private Path dir;
  private final Map<OutboxFiles.Name, String> sealed = new HashMap<>();
  private int timestampMs;

  @Test
  void pythonGateway_killedBeforeEachStep_losesNothingThatWasSealed() throws Exception {
    List<String> command =
        List.of(
            "src/examples/python/gateway.py",
            "--descriptors=" + RunningWeir.writeDescriptors(dir.resolve("weir.binpb")));
    check(
        (step, options) -> {
          List<String> killed = new ArrayList<>();
          killed.add(Tool.python());
          killed.add(KILLERS.resolve("kill_at.py").toString());
          killed.add(Integer.toString(step));
          killed.addAll(command);
          killed.addAll(options);
          return new ProcessBuilder(killed);
        });
  }

  @Test
  void nodeGateway_killedBeforeEachStep_losesNothingThatWasSealed() throws Exception {
    String program = Tool.node().resolve("gateway.js").toString();
    String killer = KILLERS.resolve("kill_at.cjs").toAbsolutePath().toString();
    check(
        (step, options) -> {
          List<String> killed = new ArrayList<>();
          killed.addAll(List.of("node", "--require", killer, program, "--proto=proto"));
          killed.addAll(options);
          ProcessBuilder builder = new ProcessBuilder(killed);
          builder.environment().put("KILL_AT", Integer.toString(step));
          return builder;
        });
  }

  /** A gateway that is killed before a step. */
  private interface Program {
    ProcessBuilder killedAt(int step, List<String> options) throws IOException;
  }

  private void check(Program program) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      int step = 1;
      while (run(program, step, "127.0.0.1:" + silent.getLocalPort(), "500", 2) == KILLED) {
        assertThat(outbox().batches())
            .as("killed before step %d", step)
            .containsAllEntriesOf(sealed);
        sealed.putAll(outbox().batches());
        step++;
      }
      assertThat(step).as("steps").isGreaterThan(STEPS);
    }
    sealed.putAll(outbox().batches());

    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      new TopicAdmin(admin, TopicNames.DEFAULT).createMissing();
      int firstRemoval = STEPS / 3 + 1;
      for (int step = firstRemoval; step < firstRemoval + 6; step++) {
        assertThat(run(program, step, kafka.bootstrapServers(), "60000", 1)).isEqualTo(KILLED);
        checkNothingIsLost(kafka);
      }
      assertThat(run(program, 0, kafka.bootstrapServers(), "60000", 1)).isZero();
      assertThat(outbox().batches()).isEmpty();
      checkNothingIsLost(kafka);
    }
  }

  /** Every batch that was sealed at any time is in the outbox or on the topic, and in order. */
  private void checkNothingIsLost(EmbeddedKafka kafka) throws IOException {
    sealed.putAll(outbox().batches());
    Map<OutboxFiles.Name, String> there = new HashMap<>(outbox().batches());
    Map<Integer, OutboxFiles.Name> last = new HashMap<>();
    Set<OutboxFiles.Name> seen = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : readAll(kafka)) {
      OutboxFiles.Name name = OutboxFiles.Name.of(record.partition(), record.value());
      String value = OutboxFiles.text(record.value());
      assertThat(sealed.computeIfAbsent(name, sentAtOnce -> value)).isEqualTo(value);
      there.put(name, value);
      if (seen.add(name)) {
        OutboxFiles.Name before = last.put(record.partition(), name);
        assertThat(before == null || before.isBefore(name)).as("%s, %s", before, name).isTrue();
      }
    }
    assertThat(there).containsAllEntriesOf(sealed);
  }

  /** Feeds readings, each tick's once the one before is sealed, and the end; how it ended. */
  private int run(Program program, int step, String bootstrapServers, String timeoutMs, int ticks)
      throws Exception {
    Process gateway =
        program
            .killedAt(
                step,
                List.of(
                    "--gateway-id=killed",
                    "--outbox=" + dir.resolve("outbox"),
                    "--bootstrap-servers=" + bootstrapServers,
                    "--timeout-ms=" + timeoutMs))
            .redirectError(dir.resolve("said").toFile())
            .start();
    try (OutputStream in = gateway.getOutputStream()) {
      feed(in);
      for (int tick = 1; tick < ticks; tick++) {
        while (gateway.isAlive() && sealed.keySet().containsAll(outbox().batches().keySet())) {
          Await.pause();
        }
        feed(in);
      }
    } catch (IOException killed) {
      // Before it had read everything.
      return gateway.waitFor();
    }
    return gateway.waitFor();
  }

  private void feed(OutputStream in) throws IOException {
    timestampMs++;
    for (int sensor = 0; sensor < 3; sensor++) {
      String line =
          "{\"sensor_id\":\"sensor-%d\",\"timestamp_ms\":%d,\"value\":1}\n"
              .formatted(sensor, timestampMs);
      in.write(line.getBytes(StandardCharsets.UTF_8));
    }
    in.flush();
  }

  private OutboxFiles outbox() {
    return new OutboxFiles(dir.resolve("outbox"));
  }

  private static List<ConsumerRecord<byte[], byte[]>> readAll(EmbeddedKafka kafka) {
    List<TopicPartition> partitions =
        IntStream.range(0, 64)
            .mapToObj(partition -> new TopicPartition(TopicNames.DEFAULT.readings(), partition))
            .toList();
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }
}
