package io.weir.internal.imports;

import io.weir.internal.app.ConfigException;
import io.weir.internal.app.ImportKeys;
import io.weir.internal.app.ImportOptions;
import io.weir.internal.app.WeirConfig;
import io.weir.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The settings of an import.
 *
 * @param name of the import: its gateway and its progress
 * @param group its consumer group, before the instance in its transactional ids
 * @param instance of the process among those of the import
 * @param sources topics that others write
 * @param pattern of the names of such topics, in place of names
 * @param start of partitions that it never had
 * @param commitInterval least time between two transactions while it keeps up
 * @param maxIdle how long records wait for older ones of another partition
 * @param readings the topic of readings
 * @param deadLetters the topic of dead letters
 * @param progress the topic with the next offset of each partition
 * @param control the topic with orders of operators
 */
public record ImportSettings(
    String name,
    String group,
    String instance,
    Set<String> sources,
    Optional<Pattern> pattern,
    ImportStart start,
    Duration commitInterval,
    Duration maxIdle,
    String readings,
    String deadLetters,
    String progress,
    String control) {
  public ImportSettings {
    sources = Set.copyOf(sources);
  }

  /** On a batch: topic, partition and offsets of its records, such as {@code plant.raw-3:17-29}. */
  static final String ORIGIN = "weir.import.origin";

  /** The topic with the progress, without the plant before it. */
  public static final String PROGRESS = "weir.import.progress";

  private static final String GROUP = "weir-import-";
  private static final String AGAIN = "again";
  private static final int MAX_ORIGIN = 1_000;

  /**
   * The settings of a configuration.
   *
   * @param pattern of the names of sources, in place of names; Weir's own topics never match
   * @throws ConfigException if it lacks the name, or one of its values is no value
   */
  public static ImportSettings of(
      WeirConfig config, Collection<String> sources, Optional<Pattern> pattern) {
    ImportOptions given = config.imports();
    String progress = config.ofPlant(PROGRESS);
    ImportStart start;
    try {
      start = ImportStart.parse(given.from());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(ImportKeys.FROM.propertyName() + " = " + e.getMessage());
    }
    if (given.instance().equals(AGAIN)) {
      throw new ConfigException(
          ImportKeys.INSTANCE.propertyName() + " = again: expected: another name, --again has it");
    }
    String name =
        given
            .name()
            .orElseThrow(
                () ->
                    new ConfigException("--name (weir.import.name) is not set: expected: a name"));
    return new ImportSettings(
        name,
        config.ofPlant(group(name)),
        given.instance(),
        new LinkedHashSet<>(sources),
        pattern.map(each -> others(config, progress, each)),
        start,
        given.commitInterval(),
        given.maxIdle(),
        config.topics().readings(),
        config.nameOf(Topic.DEAD_LETTERS),
        progress,
        config.nameOf(Topic.CONTROL));
  }

  /**
   * Those of a process that takes its dead letters again, while others of the import run: it sends
   * as a gateway of its own, since each of its boots is later than theirs.
   */
  public ImportSettings again() {
    return new ImportSettings(
        name,
        group,
        AGAIN,
        sources,
        pattern,
        start,
        commitInterval,
        maxIdle,
        readings,
        deadLetters,
        progress,
        control);
  }

  private static Pattern others(WeirConfig config, String progress, Pattern pattern) {
    String own =
        Stream.concat(Stream.of(progress), Stream.of(Topic.values()).map(config::nameOf))
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    return Pattern.compile("(?!(?:" + own + ")$)(?:" + pattern.pattern() + ")");
  }

  /** The source topics, partitions and offsets of a batch; empty if no import wrote it. */
  public static String originOf(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    return header == null || header.value() == null
        ? ""
        : new String(
            header.value(), 0, Math.min(MAX_ORIGIN, header.value().length), StandardCharsets.UTF_8);
  }

  /** The consumer group of an import, without the plant before it. */
  public static String group(String name) {
    return GROUP + name;
  }

  /** Whether a group is that of an import, of any plant. */
  public static boolean isGroup(String id) {
    return id.startsWith(GROUP, id.indexOf('.' + GROUP) + 1);
  }

  /** No two processes of the import have the same at the same time. */
  String transactionalId() {
    return group + "-" + instance;
  }

  /** The gateway of dead letters, and of batches that are not signed. */
  String gatewayId() {
    return "import/" + name;
  }

  /** The gateway of signed batches: each process counts its own sequences. */
  String signingGatewayId() {
    return gatewayId() + "/" + instance;
  }
}
