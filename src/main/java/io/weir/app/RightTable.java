package io.weir.app;

import io.weir.topic.TopicNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.resource.PatternType;

/** The least rights as a text: for docs/operations.md. */
public final class RightTable {
  private RightTable() {}

  /** A Markdown table of what each kind of user needs, with the default names. */
  public static String markdown() {
    Map<String, List<Right>> users = new LinkedHashMap<>();
    users.put("`weir run`", Right.ofRun(Keys.APPLICATION_ID.defaultText(), TopicNames.DEFAULT));
    users.put(
        "`weir run`, to name the producer of a transaction that hangs",
        Right.ofNamingProducers(TopicNames.DEFAULT));
    users.put("a gateway", Right.ofEdge(TopicNames.DEFAULT));
    users.put(
        "a gateway, to notice that Weir refuses it", Right.ofNoticingRefusals(TopicNames.DEFAULT));
    users.put("`weir topics`", Right.ofTopics(TopicNames.DEFAULT));
    users.put("`weir gateway reset`", Right.ofGatewayReset(TopicNames.DEFAULT));
    users.put("`weir tail windows`", Right.ofTail(TopicNames.DEFAULT.windows()));
    StringBuilder table = new StringBuilder("| who | on | may |\n|---|---|---|\n");
    users.forEach((user, rights) -> rows(user, rights, table));
    return table.toString();
  }

  private static void rows(String user, List<Right> rights, StringBuilder table) {
    Map<String, String> byResource =
        rights.stream()
            .collect(
                Collectors.groupingBy(
                    RightTable::resource,
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

  private static String resource(Right right) {
    String kind = right.resource().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    boolean prefix = right.pattern() == PatternType.PREFIXED;
    return kind + (prefix ? "s that begin with `" : " `") + right.name() + "`";
  }
}
