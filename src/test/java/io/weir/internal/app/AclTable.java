package io.weir.internal.app;

import io.weir.internal.topology.EventTopology;
import io.weir.internal.topology.WeirTopology;
import io.weir.topic.OwnTopics;
import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.PatternType;

/** The minimum rights as a text: for docs/reference/rights.md. */
public final class AclTable {
  private static final String HEADING = "| user | operations | resources |\n|---|---|---|\n";

  private static final OwnTopics OWN =
      new OwnTopics(
          Stream.concat(
                  Stream.of(StreamsInput.changelog("weir", WeirTopology.STORE)),
                  EventTopology.STORES.stream()
                      .map(store -> StreamsInput.changelog("weir-events", store)))
              .toList(),
          List.of(
              TopicNames.redriven(TopicNames.ALL.late()),
              TopicNames.redriven(TopicNames.ALL.deadLetters())));

  private AclTable() {}

  /** A Markdown table of what each kind of user needs, with the default names. */
  public static String markdown() {
    Map<String, List<Acl>> users = new LinkedHashMap<>();
    users.put("`weir run`", Acl.ofRun(Keys.APPLICATION_ID.defaultText(), TopicNames.ALL));
    users.put(
        "`weir run`, optional: to name the producer of a hanging transaction",
        Acl.ofNamingProducers(TopicNames.ALL));
    users.put("a gateway (`weir edge`, a publisher)", Acl.ofEdge(TopicNames.ALL));
    users.put("a gateway, optional: to notice refusals", Acl.ofNoticingRefusals(TopicNames.ALL));
    users.put("`weir events`", Acl.ofEvents("weir-events", TopicNames.ALL));
    users.put(
        "publishers of events (`weir send`, `weir edge --sparkplug` with `weir.events`)",
        Acl.ofPublisher(TopicNames.ALL));
    users.put("`weir topics`", Acl.ofTopics(TopicNames.ALL, OWN));
    users.put("`weir gateway reset`", Acl.ofGatewayReset(TopicNames.ALL));
    users.put(
        "`weir accept-loss weir --topic weir.readings`",
        Acl.ofAcceptLoss("weir", "weir.readings", WeirTopology.STORE, TopicNames.ALL));
    users.put("`weir serve`", Acl.ofServe(TopicNames.ALL.of(User.SERVE).all()));
    users.put("`weir serve`, optional: to explain a window", Acl.ofExplain("weir", TopicNames.ALL));
    users.put("`weir sink`", Acl.ofSink("weir-sink", TopicNames.ALL.of(User.SINK).all()));
    users.put(
        "`weir sink`, optional: `weir.sink.topics` with `late,dead-letters`",
        Acl.ofServe(List.of(TopicNames.ALL.late(), TopicNames.ALL.deadLetters())));
    users.put(
        "`weir import plant.raw --name plant`",
        Acl.ofImport(
            "weir-import-plant", List.of("plant.raw"), "weir.import.progress", TopicNames.ALL));
    users.put("`weir import --again`, in addition", Acl.ofNoticingRefusals(TopicNames.ALL));
    users.put("`weir collect`", Acl.ofCollect(TopicNames.ALL));
    users.put("`weir collect --rebase`", Acl.ofRebase(TopicNames.ALL));
    users.put("`weir redrive late`", Acl.ofRedrive("weir", Topic.LATE, TopicNames.ALL));
    users.put(
        "`weir redrive dead-letters`", Acl.ofRedrive("weir", Topic.DEAD_LETTERS, TopicNames.ALL));
    users.put(
        "an operator: every command of the runbook",
        Acl.ofOperator("weir", Optional.of("weir-events"), TopicNames.ALL));
    users.put("`weir tail windows`", Acl.ofTail(TopicNames.ALL.windows()));
    StringBuilder table = new StringBuilder(HEADING);
    users.forEach((user, rights) -> rows(user, rights, table));
    return table.toString();
  }

  /** The same of a program with handlers, whose id and output topic are in angle brackets. */
  static String handlers() {
    StringBuilder table = new StringBuilder(HEADING);
    rows(
        "a program with handlers",
        Acl.ofHandlers("<id>", TopicNames.ALL.of(User.HANDLER), "weir-keys", List.of("<output>")),
        table);
    return table.toString();
  }

  /** A row for each set of operations, with all resources on which the user needs it. */
  private static void rows(String user, List<Acl> rights, StringBuilder table) {
    Map<String, List<String>> operations = new LinkedHashMap<>();
    for (Acl right : rights) {
      operations
          .computeIfAbsent(resource(right), resource -> new ArrayList<>())
          .add(right.operation().name());
    }
    Map<String, List<String>> resources = new LinkedHashMap<>();
    operations.forEach(
        (resource, names) ->
            resources
                .computeIfAbsent(
                    kind(resource) + String.join(", ", new TreeSet<>(names)),
                    key -> new ArrayList<>())
                .add(resource));
    resources.forEach(
        (key, named) ->
            table
                .append("| ")
                .append(user)
                .append(" | ")
                .append(key.substring(key.indexOf('`') + 1))
                .append(" | ")
                .append(words(kind(named.get(0)), named.size()))
                .append(
                    String.join(
                        ", ", named.stream().map(one -> one.substring(one.indexOf('`'))).toList()))
                .append(" |\n"));
  }

  private static String words(String kind, int resources) {
    String words = kind.substring(0, kind.length() - 1);
    if (resources == 1) {
      return words;
    }
    return words.endsWith("prefix ") ? words.replace("prefix ", "prefixes ") : words.strip() + "s ";
  }

  /** Words before the name, with the quote that begins it. */
  private static String kind(String resource) {
    return resource.substring(0, resource.indexOf('`') + 1);
  }

  private static String resource(Acl right) {
    String kind = right.resource().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    boolean prefix = right.pattern() == PatternType.PREFIXED;
    return kind + (prefix ? "s with prefix `" : " `") + right.name() + "`";
  }
}
