package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir gateways}: checks files of gateways before they are deployed. */
@Command(
    name = "gateways",
    description = "Check a file of the sensors that each gateway may publish.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = GatewaysCheckCommand.class,
    footer = {"", "Examples:", "  weir gateways check gateways.yaml"})
final class GatewaysCommand extends Subcommands {}
