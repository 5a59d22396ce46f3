package io.weir.lab.bench;

import java.util.Locale;

/** What is measured; each run of one in a process of its own. */
public enum Subject {
  /** Kafka's consumer in a loop: poll, parse, add into a hash map. One thread. */
  LOOP("bare loop, 1 thread") {
    @Override
    Work work(Task task) {
      return new BareLoop(task, 1);
    }
  },
  /** The same with as many threads, each with partitions and a map of its own, as Weir has. */
  LOOP_SAME_THREADS("bare loop, threads of Weir") {
    @Override
    Work work(Task task) {
      return new BareLoop(task, task.threads());
    }
  },
  /** A Kafka Streams DSL pipeline as a user would first write it. */
  DSL("DSL pipeline") {
    @Override
    Work work(Task task) {
      return DslPipeline.ofWindows(task);
    }
  },
  /**
   * Kafka Streams by an expert: the Processor API, what a batch has of a sensor added up first,
   * state in RocksDB behind a cache.
   */
  STREAMS_EXPERT("Processor API with RocksDB") {
    @Override
    Work work(Task task) {
      return new ExpertPipeline(task);
    }
  },
  /**
   * A job of Apache Flink as a user would first write it: a reading an element, keyed by sensor,
   * tumbling windows, exactly once.
   */
  FLINK("Flink, first form") {
    @Override
    Work work(Task task) {
      return Peer.find(task);
    }
  },
  /** The same by a good user: each batch is aggregated before its parts are keyed. */
  FLINK_KEYED("Flink, batches added up") {
    @Override
    Work work(Task task) {
      return Peer.find(task);
    }
  },
  /**
   * The same by an expert who does as Weir does: one operator chained to the source, with maps of
   * its own for each partition.
   */
  FLINK_CHAINED("Flink, one operator") {
    @Override
    Work work(Task task) {
      return Peer.find(task);
    }
  },
  /** Weir with its defaults. */
  WEIR("Weir") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }
  },
  /** Weir from other classes: a build from before a change, say. */
  WEIR_BEFORE("Weir, other build") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }
  },
  /** Weir that has all partitions and no sensors, with java as the chart starts it. */
  RESTING("Weir at rest") {
    @Override
    Work work(Task task) {
      return new RestingWork(task);
    }
  },
  /** The gateways of a paced fleet and a broker, without Weir. */
  OFF("Weir off") {
    @Override
    Work work(Task task) {
      throw new IllegalStateException("there is no process to measure");
    }
  },
  /** Weir with rollups of minutes, hours and days. */
  WEIR_ROLLUPS("Weir, rollups 1m,1h,1d") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }

    @Override
    String rollups() {
      return "1m,1h,1d";
    }
  },
  /** Weir that also writes the last summary of each window to weir.latest. */
  WEIR_LATEST("Weir, weir.latest") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }
  },
  /** Weir with status and ten rules for all sensors. */
  WEIR_STATUS("Weir, status and ten rules") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }
  },
  /** Weir that requires signatures, of a load that has them. */
  WEIR_SIGNED("Weir, signatures required") {
    @Override
    Work work(Task task) {
      return new WeirWork(task);
    }
  },
  /** {@code weir events} that folds. */
  FOLDS("Weir, folds") {
    @Override
    Work work(Task task) {
      return new EventsWork(task);
    }
  },
  /** Session windows and suppress in the DSL, as a user would first write them. */
  FOLDS_DSL("DSL, session and suppress") {
    @Override
    Work work(Task task) {
      return DslPipeline.ofFolds(task);
    }
  },
  /** {@code weir events} with timers that wait and come due. */
  TIMERS("Weir, timers") {
    @Override
    Work work(Task task) {
      return new EventsWork(task);
    }
  },
  /** Handlers of a program's own, which keep a number each. */
  HANDLERS("handlers") {
    @Override
    Work work(Task task) {
      return new KeyedWork(task);
    }
  },
  /** Weir started with the state that a run before it left. */
  RESTORE("Weir, started again") {
    @Override
    Work work(Task task) {
      return new RestoreWork(task);
    }
  },
  /** Weir's publisher, offered to acknowledged. */
  PUBLISHER("publisher") {
    @Override
    Work work(Task task) {
      return new PublisherWork(task);
    }
  },
  /** A KafkaProducer that sends each reading as a record. */
  SINGLE_SENDS("a record per reading") {
    @Override
    Work work(Task task) {
      return new SingleSends(task);
    }
  },
  /** Weir's publisher with a recording, for the bytes of a reading. */
  RECORDING("recording") {
    @Override
    Work work(Task task) {
      return new RecordingWork(task);
    }
  },
  /** Time from offer to acknowledgement at a given rate. */
  OFFER_LATENCY("offer to acknowledgement") {
    @Override
    Work work(Task task) {
      return new OfferLatency(task);
    }
  },
  /** Time from sending a window's closing reading to its summary being readable. */
  CLOSE_LATENCY("close to readable") {
    @Override
    Work work(Task task) {
      return new CloseLatency(task);
    }
  },
  /** Time from the first reading past a window's end to its summary being readable, with grace. */
  GRACE_LATENCY("end to readable, grace 5 s") {
    @Override
    Work work(Task task) {
      return new FinalLatency(task, false);
    }
  },
  /** The same where the gateway says that its sensors are ordered: the window is final. */
  FINAL_LATENCY("end to readable, ordered gateway") {
    @Override
    Work work(Task task) {
      return new FinalLatency(task, true);
    }
  };

  private final String label;

  Subject(String label) {
    this.label = label;
  }

  /** For people. */
  public String label() {
    return label;
  }

  /** In JSON. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is measured with libraries that are no part of Weir, and only where it is named. */
  public boolean isPeer() {
    return this == FLINK || this == FLINK_KEYED || this == FLINK_CHAINED;
  }

  /** Whether it makes Weir's windows in another way, and only where it is named. */
  public boolean isRival() {
    return isPeer() || this == STREAMS_EXPERT;
  }

  /** Whether it goes on where it was when its process was killed. */
  boolean comesBack() {
    return isRival() || this == WEIR || this == WEIR_BEFORE;
  }

  /** By whose time its windows close. */
  Closing.Time closesBy() {
    return switch (this) {
      case FLINK, FLINK_KEYED -> Closing.Time.TOPIC;
      case FLINK_CHAINED, STREAMS_EXPERT -> Closing.Time.PARTITION;
      default -> Closing.Time.SENSOR;
    };
  }

  /** Whether it reads events of its run's own. */
  boolean isOfEvents() {
    return this == FOLDS || this == FOLDS_DSL || this == TIMERS || this == HANDLERS;
  }

  abstract Work work(Task task);

  /** The rollups that it computes, as {@code weir.rollups} has them; empty for none. */
  String rollups() {
    return "";
  }
}
