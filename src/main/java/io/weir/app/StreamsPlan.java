package io.weir.app;

import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An application on Kafka Streams as the cluster sees it.
 *
 * @param applicationId its name: of its group, and in front of its changelogs and transactions
 * @param idSetting the property that a person changes to begin again under another name
 * @param user who reads and writes topics here
 * @param topics the names of topics; of those that it neither reads nor writes nothing is kept
 * @param inputs those that it reads, each with the store of its tasks; one at least
 * @param rights that it needs
 * @param transactionTimeoutMs that its work needs at least, whatever is passed
 */
public record StreamsPlan(
    String applicationId,
    String idSetting,
    User user,
    TopicNames topics,
    List<StreamsInput> inputs,
    List<Acl> rights,
    int transactionTimeoutMs) {
  /** One whose work takes no time to speak of. */
  public StreamsPlan(
      String applicationId,
      String idSetting,
      User user,
      TopicNames topics,
      List<StreamsInput> inputs,
      List<Acl> rights) {
    this(applicationId, idSetting, user, topics, inputs, rights, 0);
  }

  public StreamsPlan {
    topics = topics.of(user);
    inputs = List.copyOf(inputs);
    rights = List.copyOf(rights);
  }

  /** The topics that it reads. */
  public List<String> inputTopics() {
    return inputs.stream().map(StreamsInput::topic).toList();
  }

  /** The store of the tasks that read a topic; empty where it does not read it. */
  Optional<String> storeOf(String inputTopic) {
    return inputs.stream()
        .filter(input -> input.topic().equals(inputTopic))
        .map(StreamsInput::store)
        .findFirst();
  }

  /** The topics that hold its state. */
  List<String> changelogs() {
    return inputs.stream().map(input -> input.changelog(applicationId)).toList();
  }

  /**
   * The topics whose partitions are each written by one task of an input: that of the same
   * partition.
   */
  List<String> outputsOf(String inputTopic) {
    return inputs.stream()
        .filter(input -> input.topic().equals(inputTopic))
        .flatMap(
            input ->
                Stream.concat(Stream.of(input.changelog(applicationId)), input.outputs().stream()))
        .toList();
  }

  /** The topics that it writes in transactions: not those that it also reads. */
  List<String> outputs() {
    Stream<String> written =
        topics.topics().stream().filter(topic -> topic.isWrittenBy(user)).map(topics::of);
    return Stream.concat(
            written.filter(topic -> !inputTopics().contains(topic)), changelogs().stream())
        .toList();
  }
}
