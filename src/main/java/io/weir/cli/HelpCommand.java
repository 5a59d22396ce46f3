package io.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir help [COMMAND]}: prints the text of {@code --help}. */
@Command(
    name = "help",
    description = "Show the help of a command.",
    footer = {"", "Examples:", "  weir help", "  weir help replay"})
final class HelpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command.")
  private String name;

  @Override
  public Integer call() {
    CommandLine root = spec.commandLine().getParent();
    CommandLine shown = name == null ? root : root.getSubcommands().get(name);
    if (shown == null) {
      throw new ParameterException(
          spec.commandLine(),
          name + ": expected: " + String.join(", ", root.getSubcommands().keySet()));
    }
    shown.usage(root.getOut());
    return 0;
  }
}
