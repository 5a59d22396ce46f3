package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir key}: keys that batches are signed with. */
@Command(
    name = "key",
    description = "Create signing keys for gateways.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KeyNewCommand.class, KeyGatewayCommand.class},
    footer = {
      "",
      "The file of masters is the operators' alone: whoever has it signs as any gateway. Each",
      "gateway gets its own key, derived from a master; nothing else needs to know of it.",
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
