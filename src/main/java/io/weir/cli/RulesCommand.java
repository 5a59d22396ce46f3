package io.weir.cli;

import picocli.CommandLine.Command;

/** {@code weir rules}: checks and tests files of alarm rules before they are deployed. */
@Command(
    name = "rules",
    description = "Check alarm rules, and test them on a recording.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RulesCheckCommand.class, RulesTestCommand.class},
    footer = {
      "",
      "Examples:",
      "  weir rules check rules.yaml",
      "  weir rules test rules.yaml readings.csv"
    })
final class RulesCommand extends Subcommands {}
