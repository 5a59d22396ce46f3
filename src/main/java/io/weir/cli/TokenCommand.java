package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir token}: tokens of the clients that write to {@code weir edge}. */
@Command(
    name = "token",
    description = "Create tokens for clients of weir edge.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TokenNewCommand.class,
    footer = {"", "Examples:", "  weir token new telegraf-7"})
final class TokenCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: new");
  }
}
