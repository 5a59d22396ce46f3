package io.weir.topic;

import io.weir.topic.Topic.User;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What Weir's topics are called: different legal names. Topics that are not switched on have none.
 *
 * @param byTopic their names; not to be changed
 */
public record TopicNames(Map<Topic, String> byTopic) {
  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /** The default names of those that are there in any case. */
  public static final TopicNames DEFAULT = new TopicNames(defaults(topic -> !topic.isOptional()));

  /** The default names of all. */
  public static final TopicNames ALL = new TopicNames(defaults(topic -> true));

  /** With default names for all topics but these. */
  public TopicNames(String readings, String windows, String late, String deadLetters) {
    this(with(readings, windows, late, deadLetters));
  }

  /**
   * @throws IllegalArgumentException if a name is not legal or is there twice
   */
  public TopicNames {
    byTopic = new EnumMap<>(byTopic); // In the order of their declarations.
    Collection<String> names = byTopic.values();
    for (String name : names) {
      if (!isLegal(name)) {
        throw new IllegalArgumentException("no legal topic name: " + name);
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

  /** These names, and one of a topic that is switched on too. */
  public TopicNames with(Topic topic, String name) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.put(topic, name);
    return new TopicNames(names);
  }

  /** These names, but for those of some topics. */
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
   * The name of a topic that is switched on.
   *
   * @throws IllegalArgumentException if it is not
   */
  public String of(Topic topic) {
    String name = byTopic.get(topic);
    if (name == null) {
      throw new IllegalArgumentException(topic.text() + " is not switched on");
    }
    return name;
  }

  /** Those that a user's program reads or writes. */
  public TopicNames of(User user) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.keySet().retainAll(Topic.of(user).toList());
    return new TopicNames(names);
  }

  /**
   * The topic that records are sent again of, the one that they are sent to, and that of the
   * operators' orders: gateways that were reset, losses that were accepted.
   */
  public TopicNames ofRedrive(Topic records) {
    Map<Topic, String> names = new EnumMap<>(of(User.REDRIVE).byTopic);
    names
        .keySet()
        .removeIf(
            topic -> topic.isReadBy(User.REDRIVE) && topic != records && topic != Topic.CONTROL);
    return new TopicNames(names);
  }

  /** Those that a user's program writes to, and more than ticks. */
  public TopicNames outputsOf(User user) {
    Map<Topic, String> names = new EnumMap<>(byTopic);
    names.keySet().removeIf(topic -> !topic.isOutputOf(user));
    return new TopicNames(names);
  }

  /** The topics that are switched on, readings first. */
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

  /** Those that have the sensors' partitions, readings first. */
  public List<String> ofSensors() {
    return topics().stream().filter(Topic::isOfSensors).map(this::of).toList();
  }

  /** Those that {@code weir run} writes what it has worked out to. */
  public List<String> outputs() {
    return outputsOf(User.RUN).all();
  }

  /** All, readings first. */
  public List<String> all() {
    return List.copyOf(byTopic.values());
  }

  /** The topic with the marks of what was sent again of another one. */
  public static String redriven(String topic) {
    return topic + ".redriven";
  }

  /** Whether Kafka takes that name for a topic. */
  public static boolean isLegal(String name) {
    return LEGAL.matcher(name).matches() && !name.equals(".") && !name.equals("..");
  }
}
