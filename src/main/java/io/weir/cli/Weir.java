package io.weir.cli;

import io.weir.app.BuildInfo;
import io.weir.app.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of all commands, and the program's entry. */
@Command(
    name = "weir",
    description = "Sensor readings in, exact windows out.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Your own file of readings:",
      "  weir sniff FILE                      what it is, and the command that reads it",
      "",
      "Try it on this machine:",
      "  weir broker                          a Kafka to play with, on localhost:9092",
      "  weir topics                          create the topics there",
      "  weir tail windows --from-beginning   see what comes out",
      "",
      "Settings: weir.<key> in a file (--config), WEIR_<KEY> in the environment, or an",
      "option; the later one wins. KAFKA_<KEY> goes to Kafka's clients as it is.",
      "Results are on standard output, all else on standard error. Exit status: 0 done,",
      "1 failed, 2 wrong usage."
    })
public final class Weir implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  private boolean version;

  private Weir() {}

  public static void main(String[] args) {
    Logs.useOwnConfiguration();
    int status = Failures.FAILED;
    try {
      status = commandLine().execute(args);
    } catch (Error e) {
      Failures.broken(e);
    } finally {
      StopSignal.exit(status); // Whatever happened: threads that still run would hold the process.
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  static CommandLine commandLine() {
    CommandLine root = new CommandLine(new Weir());
    commands().forEach(root::addSubcommand);
    addConfigOptions(root);
    root.addSubcommand(new HelpCommand());
    CommandGroup.listIn(root);
    BuildInfo build = BuildInfo.load();
    root.getCommandSpec().version("weir " + build.version() + " (" + build.revision() + ")");
    return root.setExpandAtFiles(false)
        .setUsageHelpWidth(92)
        .setUsageHelpLongOptionsMaxWidth(34)
        .setParameterExceptionHandler(Failures::wrongUsage)
        .setExecutionExceptionHandler(Failures::failed);
  }

  private static void addConfigOptions(CommandLine command) {
    for (CommandLine sub : command.getSubcommands().values()) {
      ConfigOptions.addTo(sub);
      addConfigOptions(sub);
    }
  }

  private static List<Object> commands() {
    List<Object> commands = new ArrayList<>();
    commands.add(new RunCommand());
    commands.add(new EventsCommand());
    commands.add(new SendCommand());
    commands.add(new EdgeCommand());
    commands.add(new SinkCommand());
    commands.add(new CollectCommand());
    commands.add(new SniffCommand());
    commands.add(new PlotCommand());
    commands.add(new TopicsCommand());
    commands.add(new TailCommand());
    commands.add(new HotCommand());
    commands.add(new PlanCommand());
    commands.add(new DoctorCommand());
    commands.add(new RedriveCommand());
    commands.add(new AcceptLossCommand());
    commands.add(new GatewayCommand());
    commands.add(new GatewaysCommand());
    commands.add(new RulesCommand());
    commands.add(new KeyCommand());
    commands.add(new EvictCommand());
    commands.add(new PartitionCommand());
    ServiceLoader.load(LocalCommands.class).forEach(local -> commands.addAll(local.commands()));
    return commands;
  }
}
