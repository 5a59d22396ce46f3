package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir token}: tokens of the clients that write to {@code weir edge}. */
@Command(
    name = "token",
    description = "Create tokens for clients of weir edge.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TokenNewCommand.class,
    footer = {"", "Examples:", "  weir token new telegraf-7"})
final class TokenCommand extends Subcommands {}
