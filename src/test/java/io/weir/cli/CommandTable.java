package io.weir.cli;

import io.weir.internal.app.Key;
import io.weir.internal.app.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** All commands as a text: for docs/reference/commands.md. */
public final class CommandTable {
  private static final Set<String> SETTINGS =
      Keys.ALL.stream().map(Key::optionName).collect(Collectors.toSet());

  private CommandTable() {}

  /** Commands by group, each with its options and examples. */
  public static String markdown() {
    Map<String, CommandLine> commands = Weir.commandLine().getSubcommands();
    StringBuilder text = new StringBuilder();
    for (CommandGroup group : CommandGroup.values()) {
      text.append(text.isEmpty() ? "" : "\n").append("## ").append(group.title()).append('\n');
      for (String name : group.commands()) {
        withSubcommands(commands.get(name)).forEach(command -> append(command, text));
      }
    }
    return text.toString();
  }

  /** A command and those below it. */
  static Stream<CommandSpec> withSubcommands(CommandLine command) {
    return Stream.concat(
        Stream.of(command.getCommandSpec()),
        command.getSubcommands().values().stream().flatMap(CommandTable::withSubcommands));
  }

  /** The lines of a command's examples. */
  static List<String> examples(CommandSpec command) {
    return Stream.of(command.usageMessage().footer())
        .dropWhile(line -> !line.equals("Examples:"))
        .skip(1)
        .map(line -> line.replace("%%", "%"))
        .toList();
  }

  private static void append(CommandSpec command, StringBuilder text) {
    text.append("\n### ").append(command.qualifiedName()).append("\n\n");
    text.append(String.join(" ", command.usageMessage().description())).append('\n');
    List<ArgSpec> arguments = new ArrayList<>(command.positionalParameters());
    List<String> settings = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      // weir tail has a flag with the name of a setting.
      if (SETTINGS.contains(option.longestName()) && option.arity().max() > 0) {
        settings.add("`" + option.longestName() + "`");
      } else if (!option.usageHelp() && !option.hidden()) {
        arguments.add(option);
      }
    }
    if (!arguments.isEmpty()) {
      text.append("\n| argument | meaning |\n|---|---|\n");
      arguments.forEach(argument -> append(argument, text));
    }
    if (!settings.isEmpty()) {
      text.append("\nSettings: ").append(String.join(", ", settings)).append(".\n");
    }
    text.append("\n```sh\n");
    examples(command).forEach(line -> text.append(runnable(line)).append('\n'));
    text.append("```\n");
  }

  /** An example without its indent, what follows two spaces as a comment. */
  private static String runnable(String line) {
    return line.substring(2).replaceFirst("(?<=\\S) {2,}(?=\\S)", "    # ");
  }

  private static void append(ArgSpec argument, StringBuilder text) {
    String name =
        argument instanceof OptionSpec option
            ? String.join(", ", option.names())
                + (option.arity().max() == 0 ? "" : " " + option.paramLabel())
            : argument.paramLabel();
    text.append("| `")
        .append(name)
        .append("` | ")
        .append(String.join(" ", argument.description()).replace("%%", "%").replace("|", "\\|"))
        .append(" |\n");
  }
}
