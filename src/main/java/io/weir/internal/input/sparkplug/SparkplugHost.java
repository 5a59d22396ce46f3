package io.weir.internal.input.sparkplug;

import io.weir.internal.input.Sensor;
import io.weir.internal.input.sparkplug.Births.Born;
import io.weir.internal.input.sparkplug.EdgeNode.Early;
import io.weir.internal.input.sparkplug.EdgeNode.State;
import io.weir.internal.input.sparkplug.SparkplugTopic.Type;
import io.weir.internal.wire.UndecodableException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edge nodes and what they send: births give names to aliases, and sequences show what is
 * missing. An alias is used only while every birth since the edge node's own is known. Not
 * thread-safe.
 */
final class SparkplugHost {
  private static final Logger LOG = LoggerFactory.getLogger(SparkplugHost.class);

  /**
   * Messages that come early, and how far: what is farther ahead of the expected sequence is behind
   * it. An edge node whose birth was lost starts again at 1, and cannot reach the expected sequence
   * before the gap is seen.
   */
  private static final int MOST_EARLY = 128;

  private static final int MOST_EARLY_BYTES = 1 << 20;
  private static final long ALL_EARLY_BYTES = 64 << 20;
  private static final int NODE_BYTES = 1_000;
  private static final int DEVICE_BYTES = 500;

  /** Edge nodes to look at for one that makes room. */
  private static final int MOST_LOOKS = 1_000;

  private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final int BYTES_OF_NAME = 4;
  private static final long NANOS_OF_MS = 1_000_000;
  private static final String BD_SEQ = "bdSeq";

  private final SparkplugSettings settings;
  private final MetricReadings readings;
  private final Rebirths rebirths;
  private final SparkplugMetrics metrics;
  private final Consumer<NodeEvent> events;
  private final Memory memory;
  private final Memory earlyMemory = new Memory(ALL_EARLY_BYTES);
  private final LongSupplier nanoTime;
  private final Payload payload = new Payload();

  private final Map<String, EdgeNode> nodes = new HashMap<>();

  /**
   * Those that leave when others come, the one that is silent for longest first. Names of edge
   * nodes and groups are invented for nothing, but time is not: who was here for {@link
   * #KNOWN_NANOS} keeps its place, as long as half of all places and memory is left to others.
   */
  private final Map<String, EdgeNode> newcomers = new LinkedHashMap<>(16, 0.75f, true);

  /** Those that miss a message, the first of them first. */
  private final Map<String, EdgeNode> waiting = new LinkedHashMap<>();

  /** Whose message has come; null if there is none. */
  private EdgeNode inHand;

  /** Whose message is applied, perhaps one that came early. */
  private EdgeNode applied;

  /** Only a birth takes the place of an edge node that is online. */
  private boolean isBirth;

  private boolean saidFull;

  /**
   * @param memory of what is kept for edge nodes
   */
  SparkplugHost(
      SparkplugSettings settings,
      MetricReadings readings,
      Rebirths rebirths,
      SparkplugMetrics metrics,
      Consumer<NodeEvent> events,
      Memory memory,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.readings = readings;
    this.rebirths = rebirths;
    this.metrics = metrics;
    this.events = events;
    this.memory = memory;
    this.nanoTime = nanoTime;
    memory.whenFull(this::makeRoom);
  }

  /** A message has come. */
  void receive(SparkplugMessage message) {
    receiveOne(message);
    readings.begin();
  }

  private void receiveOne(SparkplugMessage message) {
    EdgeNode node = nodes.get(message.topic().key());
    newcomers.get(message.topic().key());
    inHand = node;
    isBirth = message.topic().type() == Type.NBIRTH;
    if (!starts(message.body())) {
      if (node != null && node.state == State.ONLINE) {
        node.pace.outOfOrder();
      }
      return;
    }
    switch (message.topic().type()) {
      case NBIRTH -> {
        node = node == null ? added(message.topic()) : node;
        if (node != null) {
          nodeBirth(node, message);
        }
      }
      case NDEATH -> {
        if (node != null) {
          nodeDeath(node, message);
        }
      }
      default -> {
        node = node == null ? added(message.topic()) : node;
        if (node != null) {
          inSequence(node, message);
        }
      }
    }
  }

  private boolean starts(byte[] body) {
    try {
      payload.start(body);
      return true;
    } catch (UndecodableException e) {
      readings.refuse("MALFORMED");
      return false;
    }
  }

  /** Null if there are too many. */
  private EdgeNode added(SparkplugTopic topic) {
    String key = topic.key();
    EdgeNode node = new EdgeNode(topic.group(), key, memory, nanoTime.getAsLong());
    boolean full = nodes.size() >= settings.maxNodes() && !makeRoom();
    if (full || !node.memory.take(bytes(key))) {
      sayFull(key);
      readings.refuse("TOO_MANY_NODES");
      return null;
    }
    inHand = node;
    nodes.put(key, node);
    newcomers.put(key, node);
    metrics.entered(node.state);
    return node;
  }

  /** Forgets a newcomer, if possible one that is not online; false if there is none. */
  private boolean makeRoom() {
    EdgeNode leaver = null;
    int looks = 0;
    for (EdgeNode each : newcomers.values()) {
      if (each != inHand
          && each != applied
          && (leaver == null && isBirth || each.state != State.ONLINE)) {
        leaver = each;
      }
      if (++looks == MOST_LOOKS || leaver != null && leaver.state != State.ONLINE) {
        break;
      }
    }
    if (leaver == null) {
      return false;
    }
    remove(leaver);
    return true;
  }

  /** Whether an edge node keeps its place from now on. */
  private void judge(EdgeNode node) {
    int others = nodes.size() - newcomers.size() - (node.known ? 1 : 0);
    boolean known =
        node.state != State.OFFLINE
            && node.born
            && nanoTime.getAsLong() - node.sinceNanos >= KNOWN_NANOS
            && others < settings.maxNodes() / 2
            && node.memory.isLittle();
    if (known == node.known) {
      return;
    }
    node.known = known;
    node.memory.setKnown(known);
    if (known) {
      newcomers.remove(node.key);
    } else {
      newcomers.put(node.key, node);
    }
  }

  private static long bytes(String key) {
    return NODE_BYTES + (long) BYTES_OF_NAME * key.length();
  }

  private void remove(EdgeNode node) {
    nodes.remove(node.key);
    newcomers.remove(node.key);
    if (!node.early.isEmpty()) {
      node.early.forEach(early -> earlyMemory.free(early.message().bytes()));
      node.early.clear();
      waiting.remove(node.key);
    }
    rebirths.settled(node);
    node.own.clear();
    forgetDevices(node);
    metrics.left(node.state);
    node.memory.free(bytes(node.key));
  }

  private void sayFull(String key) {
    if (!saidFull) {
      saidFull = true;
      LOG.warn(
          "no room for what {} says of itself: {} edge nodes, {} bytes for names and aliases;"
              + " see weir.sparkplug.max.nodes and the size of the heap",
          key,
          nodes.size(),
          memory.taken());
    }
  }

  private void enter(EdgeNode node, State state) {
    metrics.left(node.state);
    metrics.entered(state);
    node.state = state;
    judge(node);
  }

  private void nodeBirth(EdgeNode node, SparkplugMessage message) {
    if (!node.early.isEmpty()) {
      gap(node);
      starts(message.body());
    }
    forgetDevices(node);
    node.bdSeq = EdgeNode.NO_BD_SEQ;
    birth(node, node.own, message);
    node.follow(message, Math.max(0, payload.sequence()));
    rebirths.settled(node);
    node.reconnected = false;
    node.born = true;
    enter(node, State.ONLINE);
    event("sparkplug.birth", message, node.bdSeq);
  }

  /** Replaces the births of an edge node or device. */
  private void birth(EdgeNode node, Births births, SparkplugMessage message) {
    applied = node;
    isBirth = true;
    births.clear();
    readings.from(message.topic(), node.known);
    payload.rewind();
    for (Metric metric = payload.next(); metric != null; metric = payload.next()) {
      String name = metric.name();
      if (name == null || name.isEmpty()) {
        readings.refuse("BAD_NAME");
      } else if (name.equals(BD_SEQ)) {
        node.bdSeq = metric.number();
      } else if (!isControl(name)) {
        Born born = births.add(name, metric.type(), metric.hasAlias(), metric.alias());
        if (born == null) {
          sayFull(node.key);
          metrics.unresolved();
        }
        if (settings.takesBirths()) {
          offer(born == null ? new Born(name, metric.type()) : born, metric, message);
        } else {
          readings.skip("birth");
        }
      }
    }
  }

  private static boolean isControl(String name) {
    return name.startsWith("Node Control/")
        || name.startsWith("Device Control/")
        || name.equals(BD_SEQ);
  }

  private void nodeDeath(EdgeNode node, SparkplugMessage message) {
    long bdSeq = EdgeNode.NO_BD_SEQ;
    for (Metric metric = payload.next(); metric != null; metric = payload.next()) {
      if (BD_SEQ.equals(metric.name())) {
        bdSeq = metric.number();
      }
    }
    if (node.bdSeq != bdSeq && node.bdSeq != EdgeNode.NO_BD_SEQ || node.state == State.OFFLINE) {
      readings.skip("late_death");
      return;
    }
    if (!node.early.isEmpty()) {
      gap(node);
      starts(message.body());
    }
    node.own.clear();
    forgetDevices(node);
    rebirths.settled(node);
    enter(node, State.OFFLINE);
    event("sparkplug.death", message, bdSeq);
  }

  private void event(String type, SparkplugMessage message, long bdSeq) {
    SparkplugTopic of = message.topic();
    boolean timed = payload.hasTimestamp() && payload.timestampMs() > 0;
    long ms = timed ? payload.timestampMs() : message.arrivalNanos() / NANOS_OF_MS;
    events.accept(new NodeEvent(type, of.key(), of.device(), bdSeq, of.type().name(), ms));
  }

  private void inSequence(EdgeNode node, SparkplugMessage message) {
    judge(node);
    if (node.state != State.ONLINE) {
      rebirths.want(
          node, node.reconnected ? Rebirths.Cause.RECONNECT : Rebirths.Cause.UNKNOWN_NODE);
      if (node.state == State.OFFLINE) {
        enter(node, State.UNSURE);
      }
      if (node.isRepeat(message, payload.sequence())) {
        readings.skip("repeat");
        return;
      }
      node.follow(message, payload.sequence());
      apply(node, message);
      return;
    }
    int sequence = payload.sequence();
    if (sequence == Payload.NO_SEQUENCE) {
      apply(node, message);
    } else if (node.isExpected(sequence)) {
      node.follow(message, sequence);
      node.pace.inOrder();
      apply(node, message);
      followUp(node);
    } else if (node.isRepeat(message, sequence) || node.hasEarly(message, sequence)) {
      readings.skip("repeat");
    } else {
      keep(node, message, sequence);
    }
  }

  /** Applies what came early and follows now. */
  private void followUp(EdgeNode node) {
    boolean found = !node.early.isEmpty();
    while (found) {
      found = false;
      for (Early early : node.early) {
        if (node.isExpected(early.sequence())) {
          node.early.remove(early);
          freeEarly(node, early);
          node.follow(early.message(), early.sequence());
          starts(early.message().body());
          apply(node, early.message());
          found = !node.early.isEmpty();
          break;
        }
      }
    }
    if (node.early.isEmpty()) {
      waiting.remove(node.key);
    }
  }

  private void freeEarly(EdgeNode node, Early early) {
    node.earlyBytes -= early.message().bytes();
    earlyMemory.free(early.message().bytes());
  }

  private void keep(EdgeNode node, SparkplugMessage message, int sequence) {
    node.pace.outOfOrder();
    int bytes = message.bytes();
    boolean fits = bytes <= MOST_EARLY_BYTES;
    while (fits && !earlyMemory.take(bytes)) {
      gap(waiting.values().iterator().next());
      // Its own gap is one too.
      fits = node.state == State.ONLINE;
    }
    if (!fits) {
      if (node.state == State.ONLINE) {
        gap(node);
      }
      starts(message.body());
      apply(node, message);
      return;
    }
    if (node.early.isEmpty()) {
      node.earlyUntilNanos = nanoTime.getAsLong() + settings.reorderTimeout().toNanos();
      waiting.put(node.key, node);
    }
    node.early.add(new Early(message, sequence));
    node.earlyBytes += bytes;
    if (node.early.size() >= MOST_EARLY
        || node.distance(sequence) >= MOST_EARLY
        || node.earlyBytes > MOST_EARLY_BYTES
        || settings.reorderTimeout().isZero()) {
      gap(node);
    }
  }

  /** A message is lost: applies those behind it, and uses no alias until the next birth. */
  private void gap(EdgeNode node) {
    metrics.gap();
    rebirths.want(node, Rebirths.Cause.GAP);
    unsure(node);
  }

  private void unsure(EdgeNode node) {
    enter(node, State.UNSURE);
    waiting.remove(node.key);
    List<Early> inOrder =
        node.early.stream()
            .sorted(Comparator.comparingInt(each -> node.distance(each.sequence())))
            .toList();
    node.early.clear();
    for (Early each : inOrder) {
      freeEarly(node, each);
      node.follow(each.message(), each.sequence());
      starts(each.message().body());
      apply(node, each.message());
    }
  }

  private void apply(EdgeNode node, SparkplugMessage message) {
    SparkplugTopic topic = message.topic();
    applied = node;
    isBirth = topic.type() == Type.DBIRTH;
    switch (topic.type()) {
      case DBIRTH -> {
        Births births = device(node, topic.device());
        if (births != null) {
          birth(node, births, message);
        }
        event("sparkplug.birth", message, node.bdSeq);
      }
      case DDEATH -> {
        Births births = node.devices.remove(topic.device());
        if (births != null) {
          births.clear();
          node.memory.free(deviceBytes(topic.device()));
        }
        event("sparkplug.death", message, node.bdSeq);
      }
      case NDATA -> data(node, node.own, message);
      default -> {
        Births births = node.devices.get(topic.device());
        if (births == null && node.state == State.ONLINE) {
          rebirths.want(node, Rebirths.Cause.UNKNOWN_METRIC);
        }
        data(node, births, message);
      }
    }
  }

  private Births device(EdgeNode node, String device) {
    Births births = node.devices.get(device);
    if (births == null) {
      if (!node.memory.take(deviceBytes(device))) {
        sayFull(node.key);
        metrics.unresolved();
        return null;
      }
      births = new Births(node.memory);
      node.devices.put(device, births);
    }
    return births;
  }

  private static long deviceBytes(String device) {
    return DEVICE_BYTES + (long) BYTES_OF_NAME * device.length();
  }

  private void forgetDevices(EdgeNode node) {
    node.devices.keySet().forEach(device -> node.memory.free(deviceBytes(device)));
    node.forgetDevices();
  }

  /**
   * Offers the metrics of data.
   *
   * @param births of the device; null if it is not known
   */
  private void data(EdgeNode node, Births births, SparkplugMessage message) {
    readings.from(message.topic(), node.known);
    payload.rewind();
    for (Metric metric = payload.next(); metric != null; metric = payload.next()) {
      if (metric.hasName()) {
        named(node, births, metric, message);
      } else {
        aliased(node, births, metric, message);
      }
    }
  }

  private void named(EdgeNode node, Births births, Metric metric, SparkplugMessage message) {
    String name = metric.name();
    if (name == null) {
      readings.refuse("BAD_NAME");
      return;
    }
    if (isControl(name)) {
      return;
    }
    Born born = births == null ? null : births.named(name);
    if (born != null) {
      offer(born, metric, message);
      return;
    }
    if (node.state == State.ONLINE) {
      rebirths.want(node, Rebirths.Cause.UNKNOWN_METRIC);
    }
    offer(new Born(name, Metric.UNKNOWN_TYPE), metric, message);
  }

  private void aliased(EdgeNode node, Births births, Metric metric, SparkplugMessage message) {
    Born born = null;
    if (node.state == State.ONLINE && metric.hasAlias()) {
      born = births == null ? null : births.aliased(metric.alias());
      if (born == null && births != node.own) {
        Born ofNode = node.own.aliased(metric.alias());
        born = ofNode == null ? null : new Born(ofNode.name, ofNode.type);
      }
    }
    if (born != null) {
      offer(born, metric, message);
      return;
    }
    metrics.unresolved();
    if (node.state == State.ONLINE) {
      rebirths.want(node, Rebirths.Cause.UNKNOWN_METRIC);
    }
  }

  private void offer(Born born, Metric metric, SparkplugMessage message) {
    int type = metric.type() == Metric.UNKNOWN_TYPE ? born.type : metric.type();
    if (type == Metric.UNKNOWN_TYPE && metric.isInteger()) {
      // With or without a sign: only its birth says it.
      metrics.unresolved();
      return;
    }
    if (born.sensor == null) {
      born.sensor = readings.sensor(born.name);
    }
    Sensor sensor = born.sensor;
    readings.offer(sensor, metric, type, payload, message.arrivalNanos());
  }

  /** Messages may have been missed since the last one. */
  void reconnected() {
    inHand = null;
    for (EdgeNode node : List.copyOf(nodes.values())) {
      if (node.state == State.ONLINE && nodes.get(node.key) == node) {
        unsure(node);
        node.reconnected = true;
      }
    }
    readings.begin();
  }

  /** Gives up messages that are missing for too long, and asks for births. */
  void tick() {
    inHand = null;
    long nowNanos = nanoTime.getAsLong();
    while (!waiting.isEmpty()) {
      EdgeNode first = waiting.values().iterator().next();
      if (nowNanos - first.earlyUntilNanos < 0) {
        break;
      }
      gap(first);
      readings.begin();
    }
    rebirths.tick(nowNanos);
  }
}
