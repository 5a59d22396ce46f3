package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.cli.CommandHost;
import io.weir.cli.WeirProcess;
import io.weir.topic.TopicAdmin;
import io.weir.topic.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every command of Weir in the runbook, with an operator's rights and no others. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RunbookRightsTest {
  private static final Pattern COMMAND =
      Pattern.compile("weir ((?:tail|topics|evict|redrive|gateway reset|accept-loss)\\b[^`|\\n]*)");

  private static final Pattern REFUSAL = Pattern.compile("(?i)denied|authori[sz]");

  /** Wrong usage or a wrong setting, and a fault of the program. */
  private static final Pattern WRONG = Pattern.compile("(?m)^exit 2$|^\\tat ");

  @TempDir private Path dir;

  @Test
  void everyCommand_worksWithTheRightsOfAnOperator() throws Exception {
    try (SecureCluster cluster = SecureCluster.start(dir)) {
      new TopicAdmin(cluster.admin(), TopicNames.ALL).createMissing();
      cluster.addUser("operator", "of-the-operator-1");
      cluster.allow("operator", Acl.ofOperator("weir", Optional.of("weir-events"), TopicNames.ALL));

      try (CommandHost host = start(cluster)) {
        for (String command : commands()) {
          String said = run(host, command);
          assertThat(said).as(command).doesNotContainPattern(WRONG);
          if (command.startsWith("doctor")) {
            // An operator may not ask for quotas: it says so, and looks at all else.
            assertThat(said.lines().filter(line -> REFUSAL.matcher(line).find()))
                .singleElement()
                .asString()
                .startsWith("not looked at: quotas");
          } else {
            assertThat(said).as(command).doesNotContainPattern(REFUSAL);
          }
        }
      }
    }
  }

  /** Those of the runbook, and the two of its functions. */
  private static Set<String> commands() throws IOException {
    Set<String> commands =
        COMMAND
            .matcher(Files.readString(Path.of("docs/operate/runbook.md")))
            .results()
            .map(found -> found.group(1).strip())
            .filter(command -> !command.contains("KIND") && command.contains(" "))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(commands).hasSizeGreaterThan(10);
    commands.add("doctor --wait 1s");
    return commands;
  }

  private static CommandHost start(SecureCluster cluster) throws IOException {
    Map<String, String> environment =
        new HashMap<>(cluster.environment("operator", "of-the-operator-1"));
    for (String on : List.of("STATUS", "EVENTS", "FOLD", "GROUPS")) {
      environment.put("WEIR_" + on, "true");
    }
    environment.put("WEIR_ROLLUPS", "1m"); // Groups need windows of their size.
    return CommandHost.start(environment);
  }

  /** Nobody confirms. */
  private static String run(CommandHost host, String command) throws Exception {
    WeirProcess.Ended ended = host.run(command.split(" "));
    return ended.out() + ended.err() + "\nexit " + ended.status();
  }
}
