package io.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** That the help of all commands is complete. */
class CommandHelpTest {
  private final CommandLine root = Weir.commandLine();

  @Test
  void everyCommand_hasAnExampleOfItself() {
    assertThat(root.getSubcommands().values().stream().flatMap(CommandTable::withSubcommands))
        .hasSizeGreaterThan(30)
        .allSatisfy(
            command ->
                assertThat(CommandTable.examples(command))
                    .as(command.qualifiedName())
                    .anySatisfy(line -> assertThat(line).contains(command.qualifiedName())));
  }

  @Test
  void everyCommand_isInOneGroupOfTheHelp() {
    List<String> grouped =
        Stream.of(CommandGroup.values()).flatMap(group -> group.commands().stream()).toList();

    assertThat(grouped).containsExactlyInAnyOrderElementsOf(root.getSubcommands().keySet());
    assertThat(root.getUsageMessage())
        .contains("\nRepair:\n  redrive ")
        .doesNotContain("Commands:");
    assertThat(grouped)
        .allSatisfy(name -> assertThat(root.getUsageMessage()).contains("\n  " + name + " "));
  }
}
