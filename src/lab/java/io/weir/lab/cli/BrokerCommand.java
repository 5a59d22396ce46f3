package io.weir.lab.cli;

import io.weir.cli.StopSignal;
import io.weir.cli.output.Results;
import io.weir.internal.app.StartRefusedException;
import io.weir.lab.EmbeddedKafka;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir broker}: the embedded Kafka on its own. */
@Command(
    name = "broker",
    description = "Run a single-node Kafka on this machine for trials.",
    footer = {
      "",
      "Prints its address when it takes clients, and runs until Ctrl-C. It is reachable",
      "from this machine alone, and keeps nothing unless --data says where.",
      "Exit status: 0 asked to stop, 1 the port or the directory is in use, 2 wrong usage.",
      "",
      "Examples:",
      "  weir broker",
      "  weir broker --port 9192 --data /var/tmp/weir-kafka",
      "  weir broker --port 0 --for 10m       any free port, for ten minutes"
    })
final class BrokerCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Spec private CommandSpec spec;

  @Option(names = "--port", paramLabel = "PORT", description = "Port, 0 for any free one (9092).")
  private int port = 9092;

  @Option(names = "--data", paramLabel = "DIR", description = "Directory to keep the data in.")
  private Path data;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "Stop after that long: 30s, 5m, 1h.")
  private Duration duration = FOR_EVER;

  @Override
  public Integer call() {
    EmbeddedKafka.Options options = options();
    StopSignal stop = StopSignal.install(() -> {});
    try (EmbeddedKafka kafka = start(options)) {
      Results out = Results.standard();
      out.line(kafka.bootstrapServers());
      out.flush();
      stop.await(duration);
    }
    return 0;
  }

  private EmbeddedKafka start(EmbeddedKafka.Options options) {
    try {
      return EmbeddedKafka.start(options);
    } catch (UncheckedIOException e) {
      if (e.getCause().getCause() instanceof BindException) {
        throw new StartRefusedException(
            e.getMessage() + "; is a broker running already? --port names another, 0 any free one");
      }
      throw e;
    }
  }

  private EmbeddedKafka.Options options() {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "--port " + port + ": expected: 0 to 65535");
    }
    EmbeddedKafka.Options options = EmbeddedKafka.Options.DEFAULT.withPort(port);
    return data == null ? options : options.withDataDir(data);
  }
}
