package io.weir.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands of {@code weir --help} by purpose, in the order of the help text. */
enum CommandGroup {
  SERVICES("Services", "run", "events", "edge", "import", "sink", "collect", "serve", "topics"),
  LOOK("Look", "tail", "explain", "hot", "doctor", "plan", "partition"),
  REPAIR("Repair", "redrive", "accept-loss", "gateway", "keys", "evict"),
  FILES("Files", "sniff", "replay", "send", "plot", "rules"),
  GATEWAYS("Gateways", "gateways", "key", "token", "check-gateway"),
  TRY("Try", "up", "demo", "broker", "bench", "chaos", "completion", "help");

  private static final int NAME_WIDTH = 17;

  private final String title;
  private final List<String> commands;

  CommandGroup(String title, String... commands) {
    this.title = title;
    this.commands = List.of(commands);
  }

  String title() {
    return title;
  }

  /** Names of its commands; some exist only on a developer's machine. */
  List<String> commands() {
    return commands;
  }

  /** Lists the commands of the root by group. */
  static void listIn(CommandLine root) {
    IHelpSectionRenderer renderer =
        help -> {
          StringBuilder text = new StringBuilder();
          for (CommandGroup group : values()) {
            text.append(group.title).append(":\n").append(group.table(help));
          }
          return text.toString();
        };
    root.getHelpSectionMap().remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, renderer);
  }

  private TextTable table(Help help) {
    int width = help.commandSpec().usageMessage().width();
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(NAME_WIDTH, 2, Overflow.SPAN),
            new Column(width - NAME_WIDTH, 2, Overflow.WRAP));
    for (String name : commands) {
      Help command = help.subcommands().get(name);
      if (command != null) {
        table.addRowValues(
            name, String.join(" ", command.commandSpec().usageMessage().description()));
      }
    }
    return table;
  }
}
