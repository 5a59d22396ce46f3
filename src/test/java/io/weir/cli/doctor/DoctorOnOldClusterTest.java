package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.WeirConfig;
import io.weir.lab.EmbeddedKafka;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose brokers are new and whose upgrade from 3.9 was never finished. */
@Timeout(120)
class DoctorOnOldClusterTest {
  private static final Uuid CLUSTER = Uuid.randomUuid();

  @TempDir private Path dir;

  @Test
  void clusterOfAnOldVersion_isFound() throws Exception {
    Path data = dir.resolve("data");
    format(data, "3.9-IV0");
    EmbeddedKafka.Options options =
        EmbeddedKafka.Options.DEFAULT.withDataDir(data).withClusterId(CLUSTER);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(options);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Properties settings = new Properties();
      settings.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
      WeirConfig config = WeirConfig.of(settings, Map.of(), Map.of());
      Examination of = Examination.of(admin, config, () -> {}, () -> null, () -> Pages.NONE);

      assertThat(new VersionsCheck().look(of))
          .extracting(Finding::what)
          .containsExactly("the cluster's metadata.version is 21, below Kafka 4.0");
    }
  }

  /** As the brokers' own tool does it, with the features of a release. */
  private void format(Path data, String release) throws Exception {
    Path config = dir.resolve("format.properties");
    Files.write(
        config,
        List.of(
            "process.roles=broker,controller",
            "node.id=1",
            "controller.quorum.voters=1@127.0.0.1:9093",
            "controller.listener.names=CONTROLLER",
            "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
            "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs=" + data));
    String[] command = {
      "format",
      "--config",
      config.toString(),
      "--cluster-id",
      CLUSTER.toString(),
      "--release-version",
      release
    };
    PrintStream out =
        new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    assertThat(StorageTool.execute(command, out)).isZero();
  }
}
