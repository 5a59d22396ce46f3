package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir keys}: keys of applications with handlers. */
@Command(
    name = "keys",
    description = "Show or delete the state of a key of an application with handlers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KeysShowCommand.class, KeysDeleteCommand.class},
    footer = {"", "Examples:", "  weir keys show posts post_1", "  weir keys delete posts post_1"})
final class KeysCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: show and delete");
  }
}
