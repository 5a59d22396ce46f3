package io.weir.cli.doctor;

import io.weir.internal.app.Acl;
import io.weir.internal.app.EventApplication;
import io.weir.internal.app.StreamsInput;
import io.weir.internal.app.StreamsPlan;
import io.weir.internal.app.WeirApplication;
import io.weir.internal.app.WeirConfig;
import io.weir.internal.sink.Sink;
import io.weir.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A command with a consumer group.
 *
 * @param command the command line
 * @param group its consumer group, and the prefix of its transactional ids
 * @param inputs its input topics
 * @param changelogs its changelog topics, by input topic
 * @param rights the ACLs that it needs
 */
record Program(
    String command,
    String group,
    List<String> inputs,
    Map<String, String> changelogs,
    List<Acl> rights) {

  /** The enabled programs; weir run first. */
  static List<Program> of(WeirConfig config) {
    List<Program> programs = new ArrayList<>();
    programs.add(of("weir run", WeirApplication.plan(config)));
    if (config.topics().topics().contains(Topic.SCHEDULED)) {
      programs.add(of("weir events", EventApplication.plan(config)));
    }
    if (config.sink().url().isPresent()) {
      programs.add(sink(config));
    }
    return List.copyOf(programs);
  }

  private static Program of(String command, StreamsPlan plan) {
    Map<String, String> changelogs = new TreeMap<>();
    for (StreamsInput input : plan.inputs()) {
      changelogs.put(input.topic(), input.changelog(plan.applicationId()));
    }
    return new Program(
        command, plan.applicationId(), plan.inputTopics(), changelogs, plan.rights());
  }

  private static Program sink(WeirConfig config) {
    String group = Sink.group(config.applicationId());
    List<String> topics = config.sink().topics().stream().map(config::nameOf).toList();
    return new Program("weir sink", group, topics, Map.of(), Acl.ofSink(group, topics));
  }

  /** The changelog of an input; empty if it has no state. */
  Optional<String> changelog(String input) {
    return Optional.ofNullable(changelogs.get(input));
  }
}
