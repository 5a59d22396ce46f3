package io.weir.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.lab.check.CheckPlan;
import io.weir.lab.check.CheckRun;
import io.weir.lab.check.CheckTable;
import io.weir.lab.check.GatewayCheck;
import io.weir.topic.SensorPartition;
import io.weir.v1.Reading;
import io.weir.v1.ReadingBatch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weir check-gateway} says of the examples, and of a gateway that does all wrong. */
@Timeout(600)
class CheckedGatewaysTest {
  private static final long SEED = Long.getLong("weir.seed", new Random().nextLong());

  @TempDir private Path dir;

  /** Feeds a gateway with a given address, to its end. */
  @FunctionalInterface
  private interface Feeding {
    void feed(String address) throws Exception;
  }

  @Test
  void pythonGateway_keepsEveryRule() throws Exception {
    String descriptors =
        "--descriptors=" + RunningWeir.writeDescriptors(dir.resolve("weir.binpb")).toString();
    checkExample(List.of(Tool.python(), "src/examples/python/gateway.py", descriptors));
  }

  @Test
  void nodeGateway_keepsEveryRule() throws Exception {
    String script = Tool.node().resolve("gateway.js").toString();
    checkExample(List.of("node", script, "--proto=proto"));
  }

  @Test
  void gatewayThatDoesAllWrong_failsTheRulesThatItBreaks() throws Exception {
    GatewayCheck check = check(CheckedGatewaysTest::sendWrongly);

    assertThat(check.isPassed()).isFalse();
    assertThat(CheckTable.of(check).stream().filter(line -> line.contains(" FAILED ")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("key").contains("the key is \"pump\""),
            line -> assertThat(line).startsWith("partition").contains("belongs to partition"),
            line -> assertThat(line).startsWith("timestamp_ms").contains("look like seconds"),
            line -> assertThat(line).startsWith("boot_id").contains("count twice"));
  }

  private void checkExample(List<String> program) throws Exception {
    GatewayReadings readings = new GatewayReadings("checked", SEED);
    List<String> gateway = new ArrayList<>(program);
    gateway.addAll(List.of("--gateway-id=checked", "--outbox=" + dir.resolve("outbox")));

    GatewayCheck check =
        check(
            address -> {
              gateway.add("--bootstrap-servers=" + address);
              for (int start = 0; start < 2; start++) {
                Tool.Ended ended = Tool.run(gateway, readings.next(2_000));
                assertThat(ended.status()).as(ended.err()).isZero();
              }
            });

    assertThat(check.isPassed())
        .as("seed %d%n%s", SEED, String.join("\n", CheckTable.of(check)))
        .isTrue();
    assertThat(check.records()).isPositive();
  }

  private static GatewayCheck check(Feeding feeding) throws Exception {
    CompletableFuture<String> address = new CompletableFuture<>();
    CountDownLatch fed = new CountDownLatch(1);
    CheckPlan plan = new CheckPlan(0, Duration.ofHours(1), 0, 0, Duration.ofSeconds(1));
    CheckRun run = new CheckRun(plan, atMost -> fed.getCount() == 0, new Started(address));
    CompletableFuture<GatewayCheck> check = CompletableFuture.supplyAsync(run::run);
    try {
      feeding.feed(address.get());
    } finally {
      fed.countDown();
    }
    return check.get();
  }

  private record Started(CompletableFuture<String> address) implements CheckRun.Listener {
    @Override
    public void started(String servers) {
      address.complete(servers);
    }

    @Override
    public void outage(int number, Duration length) {
      throw new AssertionError("none was asked for");
    }

    @Override
    public void back() {
      throw new AssertionError("none was asked for");
    }
  }

  /** A key that is not the gateway, a partition that is not the sensor's, seconds for time. */
  private static void sendWrongly(String address) throws Exception {
    byte[] batch =
        ReadingBatch.newBuilder()
            .setGatewayId("wrong")
            .addReadings(
                Reading.newBuilder().setSensorId("pump").setTimestampMs(1_782_288_000L).setValue(1))
            .build()
            .toByteArray();
    int partition = (SensorPartition.of("pump") + 1) % SensorPartition.COUNT;
    byte[] key = "pump".getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>("weir.readings", partition, key, batch)).get();
    }
  }
}
