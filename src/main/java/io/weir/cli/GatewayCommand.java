package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir gateway}: orders of operators for gateways. */
@Command(
    name = "gateway",
    description = "Reset the sequences of a gateway.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = GatewayResetCommand.class,
    footer = {"", "Examples:", "  weir gateway reset plant-7-gateway"})
final class GatewayCommand extends Subcommands {}
