package io.weir.lab.cli;

import io.weir.cli.QuietKafka;
import io.weir.cli.StopSignal;
import io.weir.cli.output.Results;
import io.weir.cli.screen.Numbers;
import io.weir.lab.check.CheckPlan;
import io.weir.lab.check.CheckRun;
import io.weir.lab.check.CheckTable;
import io.weir.lab.check.GatewayCheck;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir check-gateway}: a gateway in any language against the rules of docs/gateways.md. */
@Command(
    name = "check-gateway",
    description = "Check what a gateway sends, in any language, by the rules of docs/gateways.md.",
    footer = {
      "",
      "Starts a Kafka of one node with Weir's topics on this machine and prints its address.",
      "Start your gateway with that address and an empty state directory, and feed it. At the",
      "end every record on weir.readings is judged. A rule is ok, FAILED with its first record,",
      "or \"not seen\": nothing exercised it. Exit status 0 if a record came and no rule failed.",
      "",
      "It ends with --for, with --records, or with Ctrl-C, whichever is first.",
      "",
      "Resends happen only where an acknowledgement is lost. With --kill N the broker, after 3 s",
      "of records, acknowledges nothing for 2 s, is stopped for --outage, and starts again, N",
      "times. Keep feeding. The Kafka client itself sends again without a trace until its",
      "delivery timeout; make --outage longer than that (30 s in docs/gateways.md), or kill your",
      "gateway meanwhile and start it again, which also shows whether its boot_id grows.",
      "",
      "Not checked: that nothing is missing which your gateway never numbered. docs/gateways.md",
      "says in its section 6 how to compare windows with what you fed.",
      "",
      "Examples:",
      "  weir check-gateway --for 1m",
      "  weir check-gateway --port 9092 --records 1000",
      "  weir check-gateway --port 9092 --kill 2 --records 1000"
    })
final class CheckGatewayCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the broker, 0 for any free one (0).")
  private int port;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "End after that long: 30s, 5m, 1h.")
  private Duration duration = FOR_EVER;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "End when so many records have come, and all outages are over.")
  private Long records;

  @Option(
      names = "--kill",
      paramLabel = "N",
      description = "Stop and start the broker so many times (0).")
  private int kills;

  @Option(
      names = "--outage",
      paramLabel = "DURATION",
      description = "How long the broker is unreachable each time (35s).")
  private Duration outage = Duration.ofSeconds(35);

  @Override
  public Integer call() {
    CheckPlan plan = plan();
    QuietKafka.unlessAsked();
    StopSignal stop = StopSignal.install(() -> {});
    Results out = Results.standard();
    CheckRun run = new CheckRun(plan, stop::await, new Progress(out, spec.commandLine().getErr()));
    GatewayCheck check = run.run();
    CheckTable.of(check).forEach(out::line);
    if (kills > 0) {
      out.line("the broker was stopped and started " + run.outages() + " of " + kills + " times");
    }
    out.flush();
    return check.isPassed() ? 0 : 1;
  }

  private CheckPlan plan() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port " + port + ": expected: 0 to 65535");
    }
    if (records != null && records < 1) {
      throw wrong("--records " + records + ": expected: 1 or more");
    }
    if (kills < 0) {
      throw wrong("--kill " + kills + ": expected: 0 or more");
    }
    return new CheckPlan(port, duration, records == null ? 0 : records, kills, outage);
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  /** The address is a result, for scripts to read; the rest is not. */
  private record Progress(Results out, PrintWriter err) implements CheckRun.Listener {
    @Override
    public void started(String address) {
      out.line(address);
      out.flush();
      say("start your gateway now: bootstrap.servers " + address + ", topic weir.readings,");
      say("64 partitions, no TLS, no password. Ctrl-C ends the check and prints the result.");
    }

    @Override
    public void outage(int number, Duration length) {
      say("outage " + number + ": the broker is unreachable for " + Numbers.spoken(length));
    }

    @Override
    public void back() {
      say("the broker is back");
    }

    private void say(String line) {
      err.println("weir check-gateway: " + line);
      err.flush();
    }
  }
}
