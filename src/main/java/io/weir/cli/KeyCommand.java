package io.weir.cli;

import picocli.CommandLine.Command;

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
final class KeyCommand extends Subcommands {}
