package io.weir.internal.app;

import com.google.protobuf.Message;
import io.weir.internal.registry.MessageSchemas;
import io.weir.internal.registry.Registries;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.RegistrySettings;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.registry.ValueFormat;
import io.weir.topic.Topic;
import io.weir.topic.TopicNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The schemas of Weir's topics in a registry. Calls block. */
public final class TopicSchemas {
  /**
   * A topic's schema in the registry.
   *
   * @param id its id, if registered
   * @param problem the error, in one line, if not
   */
  public record State(String subject, Optional<Integer> id, Optional<String> problem) {}

  private final TopicNames topics;
  private final SchemaRegistry registry;
  private final MessageSchemas schemas;

  private TopicSchemas(TopicNames topics, RegistrySettings settings) {
    this.topics = topics;
    this.registry = Registries.open(settings);
    this.schemas = new MessageSchemas(registry, settings);
  }

  /** Returns a value if a registry is set. */
  public static Optional<TopicSchemas> of(WeirConfig config) {
    RegistrySettings settings = RegistrySettings.of(config.values());
    return settings.isSet()
        ? Optional.of(new TopicSchemas(config.latest().withoutJson(config.topics()), settings))
        : Optional.empty();
  }

  /**
   * Registers the schema of every topic, whatever auto.register.schemas says.
   *
   * @throws RegistryException if the registry does not answer
   */
  public List<State> register() {
    return states(
        (subject, message) -> schemas.register(subject, message.getDescriptorForType().getFile()));
  }

  /** Checks the schemas without registering them. */
  public List<State> verify() {
    return states(
        (subject, message) ->
            schemas.lookUp(subject, message.getDescriptorForType().getFile()).id());
  }

  @FunctionalInterface
  private interface Step {
    int idOf(String subject, Message message);
  }

  private List<State> states(Step step) {
    List<State> states = new ArrayList<>();
    messages(topics)
        .forEach(
            (topic, message) -> {
              String subject = schemas.subject(topic, message.getDescriptorForType());
              try {
                int id = step.idOf(subject, message);
                states.add(new State(subject, Optional.of(id), Optional.empty()));
              } catch (RegistryException e) {
                if (e.kind() != Kind.MISSING && e.kind() != Kind.REFUSED) {
                  throw e;
                }
                states.add(new State(subject, Optional.empty(), Optional.of(e.getMessage())));
              }
            });
    return states;
  }

  /**
   * Deletes the subjects of the topics.
   *
   * @throws RegistryException if the registry refuses it
   */
  public void delete(String prefix) {
    messages(topics)
        .forEach(
            (topic, message) -> {
              String subject = schemas.subject(topic, message.getDescriptorForType());
              if (subject.startsWith(prefix)) {
                registry.delete(subject);
              }
            });
  }

  private static Map<String, Message> messages(TopicNames topics) {
    Map<String, Message> messages = new LinkedHashMap<>();
    topics.topics().stream()
        .filter(Topic::isFramed)
        .forEach(topic -> messages.put(topics.of(topic), topic.message()));
    return messages;
  }

  /**
   * Looks up and caches the schema ids of all framed output topics.
   *
   * @throws StartRefusedException if an id is missing
   */
  static void requireWritable(TopicNames outputs, ValueFormat values) {
    try {
      messages(outputs).forEach(values::writer);
    } catch (RegistryException e) {
      throw new StartRefusedException("weir.schema.registry.url: " + e.getMessage());
    }
  }
}
