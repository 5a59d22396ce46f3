package io.weir.cli.doctor;

import io.weir.app.Acl;
import io.weir.app.EventApplication;
import io.weir.app.StreamsInput;
import io.weir.app.StreamsPlan;
import io.weir.app.WeirApplication;
import io.weir.app.WeirConfig;
import io.weir.sink.Sink;
import io.weir.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A command that reads topics as a group.
 *
 * @param command as it is typed
 * @param group its consumer group, and what its transactional ids begin with
 * @param inputs the topics that it reads
 * @param changelogs the topics with its state, by the input that the state is made of
 * @param rights that it needs
 */
record Program(
    String command,
    String group,
    List<String> inputs,
    Map<String, String> changelogs,
    List<Acl> rights) {

  /** Those that the settings switch on; weir run first. */
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

  /** The topic with the state that it makes of an input; empty where it keeps none. */
  Optional<String> changelog(String input) {
    return Optional.ofNullable(changelogs.get(input));
  }
}
