package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir gateways}: checks files of gateways before they are deployed. */
@Command(
    name = "gateways",
    description = "Check a file of the sensors that each gateway may publish.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = GatewaysCheckCommand.class,
    footer = {"", "Examples:", "  weir gateways check gateways.yaml"})
final class GatewaysCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: check");
  }
}
