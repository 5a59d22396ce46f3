package io.weir.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir send}: sends events from files. */
@Command(
    name = "send",
    description = "Send events from files.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = SendEventsCommand.class,
    footer = {"", "Examples:", "  weir send events events.jsonl"})
final class SendCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given: expected: events");
  }
}
