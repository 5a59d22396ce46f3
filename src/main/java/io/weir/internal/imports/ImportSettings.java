package io.weir.internal.imports;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of an import.
 *
 * @param name of the import: its consumer group, its gateway and its progress
 * @param instance of the process among those of the import
 * @param sources topics that others write
 * @param pattern of the names of such topics, in place of names
 * @param start of partitions that it never had
 * @param commitInterval least time between two transactions while it keeps up
 * @param readings the topic of readings
 * @param deadLetters the topic of dead letters
 * @param progress the topic with the next offset of each partition
 */
public record ImportSettings(
    String name,
    String instance,
    Set<String> sources,
    Optional<Pattern> pattern,
    ImportStart start,
    Duration commitInterval,
    String readings,
    String deadLetters,
    String progress) {
  public ImportSettings {
    sources = Set.copyOf(sources);
  }

  /** The consumer group of an import. */
  public static String group(String name) {
    return "weir-import-" + name;
  }

  /** The transactional id of this process. */
  public String transactionalId() {
    return group(name) + "-" + instance;
  }

  String gatewayId() {
    return "import/" + name;
  }
}
