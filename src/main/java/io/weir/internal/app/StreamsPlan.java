package io.weir.internal.app;

import io.weir.topic.Topic.User;
import io.weir.topic.TopicNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan of an application on Kafka Streams: ids, topics, rights.
 *
 * @param applicationId its id: the group id, and the prefix of changelogs and transactional ids
 * @param idSetting the setting of the id, for messages
 * @param user the user role in topic declarations
 * @param topics names of the topics; only its inputs and outputs are kept
 * @param inputs its input topics with their stores; at least one
 * @param rights the rights that it needs
 * @param transactionTimeoutMs minimum transaction timeout
 * @param startsAtEnd whether it begins at the ends of its inputs if it has never read them
 */
public record StreamsPlan(
    String applicationId,
    String idSetting,
    User user,
    TopicNames topics,
    List<StreamsInput> inputs,
    List<Acl> rights,
    int transactionTimeoutMs,
    boolean startsAtEnd) {
  /** A plan without a minimum transaction timeout, from the beginnings of the inputs. */
  public StreamsPlan(
      String applicationId,
      String idSetting,
      User user,
      TopicNames topics,
      List<StreamsInput> inputs,
      List<Acl> rights) {
    this(applicationId, idSetting, user, topics, inputs, rights, 0, false);
  }

  public StreamsPlan {
    topics = topics.of(user);
    inputs = List.copyOf(inputs);
    rights = List.copyOf(rights);
  }

  /** Its input topics. */
  public List<String> inputTopics() {
    return inputs.stream().map(StreamsInput::topic).toList();
  }

  /** The store of an input topic; empty for other topics. */
  Optional<String> storeOf(String inputTopic) {
    return inputs.stream()
        .filter(input -> input.topic().equals(inputTopic))
        .map(StreamsInput::store)
        .findFirst();
  }

  /** Its changelog topics. */
  List<String> changelogs() {
    return inputs.stream().map(input -> input.changelog(applicationId)).toList();
  }

  /** The topics whose partitions are each written by the task of the same partition of an input. */
  List<String> outputsOf(String inputTopic) {
    return inputs.stream()
        .filter(input -> input.topic().equals(inputTopic))
        .flatMap(
            input ->
                Stream.concat(Stream.of(input.changelog(applicationId)), input.outputs().stream()))
        .toList();
  }

  /** The topics that it writes in transactions, without those that it reads. */
  List<String> outputs() {
    Stream<String> written =
        topics.topics().stream().filter(topic -> topic.isWrittenBy(user)).map(topics::of);
    return Stream.concat(
            written.filter(topic -> !inputTopics().contains(topic)), changelogs().stream())
        .toList();
  }
}
