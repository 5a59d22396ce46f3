package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir send}: sends events from files. */
@Command(
    name = "send",
    description = "Send events from files.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = SendEventsCommand.class,
    footer = {"", "Examples:", "  weir send events events.jsonl"})
final class SendCommand extends Subcommands {}
