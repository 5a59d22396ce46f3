package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir gateway}: orders of operators for gateways. */
@Command(
    name = "gateway",
    description = "Reset the sequences of a gateway.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = GatewayResetCommand.class,
    footer = {"", "Examples:", "  weir gateway reset plant-7-gateway"})
final class GatewayCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: reset");
  }
}
