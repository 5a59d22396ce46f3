package io.weir.cli;

import io.weir.cli.output.Messages;
import io.weir.internal.app.BuildInfo;
import io.weir.internal.app.Logs;
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
      "  weir sniff FILE                      detect its format, print the command that reads it",
      "",
      "Try it on this machine:",
      "  weir broker                          start a Kafka on localhost:9092",
      "  weir topics                          create the topics",
      "  weir tail windows --from-beginning   print the windows",
      "",
      "Settings: weir.<key> in a file (--config), WEIR_<KEY> in the environment, or an",
      "option; the last of these wins. KAFKA_<KEY> is passed on to Kafka's clients.",
      "Results are on standard output, messages on standard error. Exit status: 0 done,",
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
      status = commandLine(args).execute(args);
    } catch (Error e) {
      Failures.broken(e);
    } finally {
      StopSignal.exit(status); // Running threads would keep the process alive.
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }

  /**
   * All commands, or only the named one: picocli reads each option of each command by reflection,
   * which takes longer than a short command runs.
   */
  static CommandLine commandLine(String... args) {
    CommandLine root = new CommandLine(new Weir());
    List<Class<?>> all = commands();
    List<Class<?>> named = all.stream().filter(type -> isNamed(type, args)).toList();
    (named.isEmpty() ? all : named).forEach(root::addSubcommand);
    addConfigOptions(root);
    root.addSubcommand(new HelpCommand());
    Converters.register(root);
    CommandGroup.listIn(root);
    BuildInfo build = BuildInfo.load();
    root.getCommandSpec().version("weir " + build.version() + " (" + build.revision() + ")");
    root.setErr(new Messages(System.err));
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

  private static boolean isNamed(Class<?> command, String... args) {
    return args.length > 0 && command.getAnnotation(Command.class).name().equals(args[0]);
  }

  private static List<Class<?>> commands() {
    List<Class<?>> commands =
        new ArrayList<>(
            List.of(
                RunCommand.class,
                EventsCommand.class,
                SendCommand.class,
                EdgeCommand.class,
                ImportCommand.class,
                SinkCommand.class,
                CollectCommand.class,
                ServeCommand.class,
                SniffCommand.class,
                PlotCommand.class,
                TopicsCommand.class,
                TailCommand.class,
                ExplainCommand.class,
                HotCommand.class,
                PlanCommand.class,
                DoctorCommand.class,
                RedriveCommand.class,
                AcceptLossCommand.class,
                GatewayCommand.class,
                KeysCommand.class,
                GatewaysCommand.class,
                RulesCommand.class,
                KeyCommand.class,
                TokenCommand.class,
                EvictCommand.class,
                PartitionCommand.class,
                CompletionCommand.class));
    ServiceLoader.load(LocalCommands.class).forEach(local -> commands.addAll(local.commands()));
    return commands;
  }
}
