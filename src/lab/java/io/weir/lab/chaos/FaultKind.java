package io.weir.lab.chaos;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;

/** What is done to the processes, and by whom: lanes work side by side, one fault after another. */
public enum FaultKind {
  APP_KILL(Lane.APPLICATIONS, 8, "kill -9 of an application"),
  FAILOVER(Lane.APPLICATIONS, 1, "kill -9 of an application, others take over"),
  ZOMBIE(Lane.ZOMBIES, 1, "application frozen, and woken up"),
  STATE_WIPE(Lane.APPLICATIONS, 1, "kill -9 of an application, state directory wiped"),
  ROLLING_RESTART(Lane.APPLICATIONS, 1, "rolling restart of the applications"),
  SILENCE(Lane.APPLICATIONS, 2, "silence, an application frozen and replaced"),
  RECYCLE(Lane.APPLICATIONS, 2, "tasks recycled while commits fail"),
  EDIT_RULES(Lane.APPLICATIONS, 1, "rules file edited, the applications restarted"),
  RESET(Lane.APPLICATIONS, 1, "applications reset: another id"),
  DELETE_RECORDS(Lane.APPLICATIONS, 1, "unread records deleted, the loss accepted"),
  LOSE_STATE(Lane.APPLICATIONS, 1, "state of a partition lost, redriven, the loss accepted"),
  APP_OOM(Lane.APPLICATIONS, 1, "application with too small a heap"),
  BROKER_KILL(Lane.BROKERS, 1, "kill -9 of a broker"),
  DISK_FULL(Lane.BROKERS, 1, "disk of a broker full, until it has ended"),
  CUT(Lane.NETWORK, 1, "network cut in front of a broker"),
  HALF_OPEN(Lane.NETWORK, 1, "connections to a broker held half open"),
  DELAY(Lane.NETWORK, 1, "network to a broker delayed"),
  LEADER_AWAY(Lane.NETWORK, 1, "leaders of some partitions away for minutes"),
  GATEWAY_RESUME(Lane.GATEWAYS, 4, "kill -9 of a gateway, resumed with its boot id"),
  GATEWAY_NEW_BOOT(Lane.GATEWAYS, 2, "kill -9 of a gateway, back with a new boot id"),
  GATEWAY_EMPTY(Lane.GATEWAYS, 1, "kill -9 of a gateway, back with nothing kept"),
  SKEW(Lane.GATEWAYS, 2, "clock of a gateway wrong, both ways"),
  IDLE(Lane.GATEWAYS, 1, "gateway silent for a while"),
  POISON(Lane.GATEWAYS, 2, "one of each kind of poison"),
  FORGET(Lane.GATEWAYS, 2, "sensors silent for longer than their ttl"),
  GATEWAY_OOM(Lane.GATEWAYS, 1, "gateway out of memory"),
  BROKER_CLOCK(Lane.CLOCKS, 3, "clock of a broker wrong, up to 25 minutes"),
  BROKER_CLOCK_DAYS(Lane.CLOCKS, 1, "clock of a broker wrong, hours to days"),
  REDRIVE(Lane.REDRIVES, 1, "redrive of what was late or refused"),
  HOSTILE(Lane.GATEWAYS, 1, "a hostile round of a gateway"),
  REFUSAL(Lane.REFUSALS, 1, "topics changed under the applications"),
  EVENTS_KILL(Lane.EVENTS, 6, "kill -9 of weir events"),
  EVENTS_WIPE(Lane.EVENTS, 1, "kill -9 of weir events, state directory wiped"),
  EVENTS_ZOMBIE(Lane.EVENTS, 1, "weir events frozen, and woken up"),
  EVENTS_RESTART(Lane.EVENTS, 2, "clean restart of weir events"),
  SEND_EVENTS(Lane.SENDERS, 1, "weir send events beside one on a pipe"),
  SINK_KILL(Lane.SINKS, 4, "kill -9 of weir sink"),
  SINK_ZOMBIE(Lane.SINKS, 1, "weir sink frozen, and woken up"),
  COLLECTOR_KILL(Lane.COLLECTORS, 4, "kill -9 of weir collect"),
  COLLECTOR_ZOMBIE(Lane.COLLECTORS, 1, "weir collect frozen, and woken up"),
  COLLECTOR_FAILOVER(Lane.COLLECTORS, 2, "kill -9 of weir collect, another takes over"),
  POSTGRES_KILL(Lane.DATABASE, 1, "kill -9 of the PostgreSQL server"),
  BACKEND_KILL(Lane.DATABASE, 2, "backends of PostgreSQL terminated"),
  DUMP(Lane.TABLE_USERS, 2, "locks of a dump held on the tables"),
  LONG_READER(Lane.TABLE_USERS, 2, "a snapshot of PostgreSQL held"),
  SLOW_DISK(Lane.TABLE_USERS, 2, "rows of PostgreSQL slow to write"),
  ROWS_REFUSED(Lane.TABLE_USERS, 1, "a user's trigger raises; rejects replayed"),
  IMPORT_KILL(Lane.IMPORTS, 6, "kill -9 of weir import"),
  IMPORT_ZOMBIE(Lane.IMPORTS, 1, "weir import frozen, and woken up"),
  IMPORT_RESTART(Lane.IMPORTS, 3, "clean restart of weir import"),
  IMPORT_GROW(Lane.IMPORTS, 1, "a partition more of the imported topic"),
  IMPORT_REMAKE(Lane.IMPORTS, 1, "the imported topic deleted and made again");

  /** Faults that are had one after another. */
  enum Lane {
    APPLICATIONS,
    BROKERS,
    NETWORK,
    GATEWAYS,
    ZOMBIES,
    CLOCKS,
    REDRIVES,
    /** Not by a thread of its own: after the verdict, since nothing repairs it. */
    REFUSALS,
    /** Of the processes of weir events, where there are any. */
    EVENTS,
    /** Of runs of weir send events, where there is weir events. */
    SENDERS,
    /** Of the processes of weir sink, where there are any. */
    SINKS,
    /** Of the processes of weir collect, where there are any. */
    COLLECTORS,
    /** Of their PostgreSQL. */
    DATABASE,
    /** Of others who use its tables. */
    TABLE_USERS,
    /** Of the processes of weir import and their source, where there are any. */
    IMPORTS
  }

  private final Lane lane;
  private final int weight;
  private final String meaning;

  FaultKind(Lane lane, int weight, String meaning) {
    this.lane = lane;
    this.weight = weight;
    this.meaning = meaning;
  }

  Lane lane() {
    return lane;
  }

  /** How often it is chosen, beside the others of its lane. */
  int weight() {
    return weight;
  }

  /** In words. */
  public String meaning() {
    return meaning;
  }

  /** Whether there is nothing to have it of without processes of {@code weir events}. */
  public boolean isOfEvents() {
    return lane == Lane.EVENTS || lane == Lane.SENDERS;
  }

  /** Whether there is nothing to have it of without a PostgreSQL. */
  public boolean isOfPostgres() {
    return EnumSet.of(Lane.SINKS, Lane.COLLECTORS, Lane.DATABASE, Lane.TABLE_USERS).contains(lane);
  }

  /** Whether there is nothing to have it of without processes of {@code weir import}. */
  public boolean isOfImports() {
    return lane == Lane.IMPORTS;
  }

  /**
   * Had where no kinds are named: all but those that leave the neighbours' or the cluster's rules.
   */
  public boolean byDefault() {
    return !EnumSet.of(BROKER_CLOCK_DAYS, HOSTILE, REFUSAL, RESET, DELETE_RECORDS, LOSE_STATE)
        .contains(this);
  }

  /** As it is typed: app-kill. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The kind of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FaultKind ofLabel(String label) {
    List<String> labels = Arrays.stream(values()).map(FaultKind::label).toList();
    int index = labels.indexOf(label);
    if (index < 0) {
      throw new IllegalArgumentException(
          "no fault " + label + ": expected: " + String.join(", ", labels));
    }
    return values()[index];
  }
}
