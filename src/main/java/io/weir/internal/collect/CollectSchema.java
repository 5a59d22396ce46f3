package io.weir.internal.collect;

import io.weir.internal.app.CollectSettings;
import io.weir.internal.postgres.Database;
import io.weir.internal.postgres.DatabaseAddress;
import io.weir.internal.postgres.PostgresRefusedException;
import io.weir.internal.postgres.SchemaFiles;
import io.weir.internal.postgres.SchemaFiles.Applied;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The tables and functions of the outbox. Stateless; any thread may call. */
public final class CollectSchema {
  static final SchemaFiles FILES =
      new SchemaFiles(
          CollectSchema.class,
          List.of(
              "outbox-001.sql",
              "outbox-002-expires.sql",
              "outbox-003-deleted.sql",
              "outbox-004-guards.sql"),
          "weir collect --init");

  /** Name of the trigger's channel; all schemas of a database share it, which is harmless. */
  static final String CHANNEL = "weir_outbox";

  private static final SchemaFiles TRIGGER =
      new SchemaFiles(CollectSchema.class, List.of("notify.sql"), "weir collect --init --notify");

  private CollectSchema() {}

  /** All files, concatenated, for psql. */
  public static String text(boolean notify) {
    return FILES.text() + (notify ? "\n" + TRIGGER.sql("notify.sql") : "");
  }

  /**
   * Creates missing objects.
   *
   * @param notify whether to create also the trigger that wakes the collector
   * @throws PostgresRefusedException if the database does not answer or denies it
   */
  public static List<Applied> init(CollectSettings settings, boolean notify) {
    DatabaseAddress address = address(settings);
    List<Applied> applied = FILES.init(address);
    if (notify) {
      Database database = new Database(address, Database.Limits.of(Duration.ofMinutes(1)));
      try (Connection connection = database.open();
          Statement statement = connection.createStatement()) {
        statement.execute(TRIGGER.sql("notify.sql"));
        connection.commit();
      } catch (SQLException e) {
        throw new PostgresRefusedException(database.advice(e));
      }
    }
    return applied;
  }

  static DatabaseAddress address(CollectSettings settings) {
    return new DatabaseAddress(
        settings.requiredUrl(),
        settings.user(),
        settings.password(),
        "weir collect",
        "weir.collect.jdbc");
  }
}
