package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.internal.app.ConfigException;
import io.weir.internal.app.Keys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
  private final StringWriter said = new StringWriter();

  @Test
  void failure_whoseReasonIsInItsCause_namesIt() {
    Exception unresolvable =
        new KafkaException(
            "Failed to create new KafkaAdminClient",
            new org.apache.kafka.common.config.ConfigException("No resolvable bootstrap urls"));

    assertThat(statusOf(unresolvable)).isEqualTo(1);
    assertThat(said)
        .hasToString(
            "weir: Failed to create new KafkaAdminClient: No resolvable bootstrap urls"
                + System.lineSeparator());
  }

  @Test
  void wrongSetting_ofOursOrOfKafkas_isWrongUsage() {
    assertThat(statusOf(new ConfigException("weir.threads = 0: expected: more"))).isEqualTo(2);
    assertThat(
            statusOf(
                new org.apache.kafka.common.config.ConfigException(
                    "request.timeout.ms", "abc", "Not a number of type INT")))
        .isEqualTo(2);
  }

  @Test
  void missingFile_saysThatItIsMissing() {
    assertThat(statusOf(new NoSuchFileException("/no/where"))).isEqualTo(1);
    assertThat(said.toString().strip()).isEqualTo("weir: /no/where: no such file or directory");
  }

  @Test
  void kafkaThatDoesNotAnswer_isNamedByItsAddress() {
    ConfigOptions options = new ConfigOptions(Keys.BOOTSTRAP_SERVERS);
    options.load(Map.of("bootstrap.servers", "kafka-7:9093"));
    CommandLine command = new CommandLine(new Asking(options)).setErr(new PrintWriter(said));
    ConfigOptions.addTo(command);

    Failures.failed(new TimeoutException("Timed out waiting for a node"), command, null);
    Failures.failed(
        new KafkaException("Failed to construct", new RuntimeException("No urls")), command, null);

    assertThat(said.toString().lines())
        .containsExactly(
            "ask: no answer from Kafka at kafka-7:9093 (weir.bootstrap.servers): Timed out waiting"
                + " for a node; check the address, and that a broker runs there (weir broker starts one for tests)",
            "ask: Failed to construct at kafka-7:9093 (weir.bootstrap.servers): No urls");
  }

  @Test
  void kafkaOfTheCommandsOwn_thatDoesNotAnswer_isNotLookedForElsewhere() {
    ConfigOptions options = new ConfigOptions();
    CommandLine command = new CommandLine(new Asking(options)).setErr(new PrintWriter(said));

    Failures.failed(new TimeoutException("Timed out"), command, null);

    assertThat(said.toString().strip())
        .isEqualTo("ask: no answer from Kafka: Timed out; the machine may be overloaded");
  }

  @Command(name = "ask")
  private record Asking(ConfigOptions configOptions) implements ConfigOptions.Configured {}

  private int statusOf(Exception failure) {
    CommandLine command = Weir.commandLine().setErr(new PrintWriter(said));
    return Failures.failed(failure, command, null);
  }
}
