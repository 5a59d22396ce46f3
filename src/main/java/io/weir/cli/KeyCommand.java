package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir key}: creates keys that sign batches. */
@Command(
    name = "key",
    description = "Create signing keys for gateways.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KeyNewCommand.class, KeyGatewayCommand.class},
    footer = {
      "",
      "Only operators may read the file of master keys: its reader can sign as any gateway.",
      "Each gateway has its own key, derived from a master key; no other file lists it.",
      "",
      "Examples:",
      "  weir key new >> masters.properties",
      "  weir key gateway line-7 --signing-keys-file masters.properties > line-7.key"
    })
final class KeyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: new and gateway");
  }
}
