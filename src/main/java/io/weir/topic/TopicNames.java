package io.weir.topic;

import io.weir.topic.Topic.User;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of Weir's topics: valid and distinct. Topics that are not enabled have none.
 *
 * @param byTopic their names; unmodifiable
 */
public record TopicNames(Map<Topic, String> byTopic) {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** The default names of the topics that always exist. */
  public static final TopicNames DEFAULT = new TopicNames(defaults(topic -> !topic.isOptional()));

  /** The default names of all. */
  public static final TopicNames ALL = new TopicNames(defaults(topic -> true));

  /** With default names for all other topics. */
  public TopicNames(String readings, String windows, String late, String deadLetters) {
    this(with(readings, windows, late, deadLetters));
  }

  /**
   * @throws IllegalArgumentException if a name is invalid or not unique
   */
  public TopicNames {
    byTopic = new EnumMap<>(byTopic); // In the order of their declarations.
    Collection<String> names = byTopic.values();
    for (String name : names) {
      if (!isLegal(name)) {
        throw new IllegalArgumentException("invalid topic name: " + name);
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException("two topics have the same name:" + names);
    }
  }

  private static Map<Topic, String> defaults(Predicate<Topic> ofWhich) {
    Map<Topic, String> names = new EnumMap<>(Topic.class);
    Stream.of(Topic.values())
        .filter(ofWhich)
        .forEach(topic -> names.put(topic, topic.defaultName()));
    return names;
  }

  /**
   * The plant that a topic with a default name belongs to: what stands before the default name and
   * a dot. Empty for a default name as it is; absent for another name.
   */
  public static Optional<String> plantOf(String name) {
    return ALL.byTopic().values().stream()
        .filter(byDefault -> name.equals(byDefault) || name.endsWith("." + byDefault))
        .max(Comparator.comparingInt(String::length))
        .map(byDefault -> name.substring(0, Math.max(0, name.length() - byDefault.length() - 1)));
  }

  /** These names and that of another topic. */
  public TopicNames with(Topic topic, String name) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.put(topic, name);
    return new TopicNames(names);
  }

  /** These names without those of some topics. */
  public TopicNames without(Collection<Topic> topics) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.keySet().removeAll(topics);
    return new TopicNames(names);
  }

  private static Map<Topic, String> with(
      String readings, String windows, String late, String deadLetters) {
    Map<Topic, String> names = new EnumMap<>(DEFAULT.byTopic());
    names.put(Topic.READINGS, readings);
    names.put(Topic.WINDOWS, windows);
    names.put(Topic.LATE, late);
    names.put(Topic.DEAD_LETTERS, deadLetters);
    return names;
  }

  /**
   * The name of an enabled topic.
   *
   * @throws IllegalArgumentException if it is not
   */
  public String of(Topic topic) {
    String name = byTopic.get(topic);
    if (name == null) {
      throw new IllegalArgumentException(topic.text() + " is not enabled");
    }
    return name;
  }

  /** Those that a user's program reads or writes. */
  public TopicNames of(User user) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.keySet().retainAll(Topic.of(user).toList());
    return new TopicNames(names);
  }

  /** The source and target topics of a redrive, and those that it looks at. */
  public TopicNames ofRedrive(Topic records) {
    Map<Topic, String> names = new EnumMap<>(of(User.REDRIVE).byTopic);
    names
        .keySet()
        .removeIf(
            topic ->
                topic.isReadBy(User.REDRIVE)
                    && topic != records
                    && topic != Topic.CONTROL
                    && topic != Topic.WINDOWS);
    if (records == Topic.LATE) {
      names.keySet().removeAll(Set.of(Topic.EVENTS, Topic.SCHEDULED));
    }
    return new TopicNames(names);
  }

  /** The topics to which a program writes records other than ticks. */
  public TopicNames outputsOf(User user) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.keySet().removeIf(topic -> !topic.isOutputOf(user));
    return new TopicNames(names);
  }

  /** The enabled topics, readings first. */
  public Collection<Topic> topics() {
    return byTopic.keySet();
  }

  public String readings() {
    return of(Topic.READINGS);
  }

  public String windows() {
    return of(Topic.WINDOWS);
  }

  public String late() {
    return of(Topic.LATE);
  }

  public String deadLetters() {
    return of(Topic.DEAD_LETTERS);
  }

  public String control() {
    return of(Topic.CONTROL);
  }

  /** The topics that are partitioned by sensor, readings first. */
  public List<String> ofSensors() {
    return topics().stream().filter(Topic::isOfSensors).map(this::of).toList();
  }

  /** The topics to which {@code weir run} writes results. */
  public List<String> outputs() {
    return outputsOf(User.RUN).all();
  }

  /** All, readings first. */
  public List<String> all() {
    return List.copyOf(byTopic.values());
  }

  /** The redrive marks topic of a topic. */
  public static String redriven(String topic) {
    return topic + ".redriven";
  }

  /** Whether a topic name is valid in Kafka. */
  public static boolean isLegal(String name) {
    return LEGAL.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }
}
