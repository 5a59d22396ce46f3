package io.weir.app;

import io.weir.topic.Topic;
import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import io.weir.topology.WeirTopology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.resource.PatternType;

/** The least rights as a text: for docs/operations.md. */
public final class AclTable {
  private AclTable() {}

  /** A Markdown table of what each kind of user needs, with the default names. */
  public static String markdown() {
    Map<String, List<Acl>> users = new LinkedHashMap<>();
    users.put("`weir run`", Acl.ofRun(Keys.APPLICATION_ID.defaultText(), TopicNames.ALL));
    users.put(
        "`weir run`, to name the producer of a transaction that hangs",
        Acl.ofNamingProducers(TopicNames.ALL));
    users.put("a gateway", Acl.ofEdge(TopicNames.ALL));
    users.put("a gateway, to notice that Weir refuses it", Acl.ofNoticingRefusals(TopicNames.ALL));
    users.put("`weir events`", Acl.ofEvents("weir-events", TopicNames.ALL));
    users.put("who publishes events", Acl.ofPublisher(TopicNames.ALL));
    users.put("`weir topics`", Acl.ofTopics(TopicNames.ALL));
    users.put("`weir gateway reset`", Acl.ofGatewayReset(TopicNames.ALL));
    users.put(
        "`weir accept-loss weir --topic weir.readings`",
        Acl.ofAcceptLoss("weir", "weir.readings", WeirTopology.STORE, TopicNames.ALL));
    users.put("`weir sink`", Acl.ofSink("weir-sink", TopicNames.ALL.of(User.SINK).all()));
    users.put("`weir collect`", Acl.ofCollect(TopicNames.ALL));
    users.put("`weir collect --rebase`", Acl.ofRebase(TopicNames.ALL));
    users.put("`weir redrive late`", Acl.ofRedrive(Topic.LATE, TopicNames.ALL));
    users.put("`weir redrive dead-letters`", Acl.ofRedrive(Topic.DEAD_LETTERS, TopicNames.ALL));
    users.put("`weir tail windows`", Acl.ofTail(TopicNames.ALL.windows()));
    StringBuilder table = new StringBuilder("| who | on | may |\n|---|---|---|\n");
    users.forEach((user, rights) -> rows(user, rights, table));
    return table.toString();
  }

  /** The rows of a program with handlers, whose id and output topic are in angle brackets. */
  static String handlers() {
    StringBuilder table = new StringBuilder();
    rows(
        "a handler",
        Acl.ofHandlers("<id>", TopicNames.ALL.of(User.HANDLER), "weir-keys", List.of("<output>")),
        table);
    return table.toString();
  }

  private static void rows(String user, List<Acl> rights, StringBuilder table) {
    Map<String, String> byResource =
        rights.stream()
            .collect(
                Collectors.groupingBy(
                    AclTable::resource,
                    LinkedHashMap::new,
                    Collectors.mapping(
                        right -> right.operation().name(), Collectors.joining(", "))));
    byResource.forEach(
        (resource, may) ->
            table
                .append("| ")
                .append(user)
                .append(" | ")
                .append(resource)
                .append(" | ")
                .append(may)
                .append(" |\n"));
  }

  private static String resource(Acl right) {
    String kind = right.resource().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    boolean prefix = right.pattern() == PatternType.PREFIXED;
    return kind + (prefix ? "s that begin with `" : " `") + right.name() + "`";
  }
}
