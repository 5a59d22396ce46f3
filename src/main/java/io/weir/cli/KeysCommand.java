package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir keys}: keys of applications with handlers. */
@Command(
    name = "keys",
    description = "Show or delete the state of a key of an application with handlers.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {KeysShowCommand.class, KeysDeleteCommand.class},
    footer = {"", "Examples:", "  weir keys show posts post_1", "  weir keys delete posts post_1"})
final class KeysCommand extends Subcommands {}
