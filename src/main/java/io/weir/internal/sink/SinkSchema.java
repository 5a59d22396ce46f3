package io.weir.internal.sink;

import io.weir.internal.app.SinkSettings;
import io.weir.internal.postgres.DatabaseAddress;
import io.weir.internal.postgres.SchemaFiles;
import io.weir.internal.postgres.SchemaFiles.Applied;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The sink's tables. Stateless; any thread may call. */
public final class SinkSchema {
  static final SchemaFiles FILES =
      new SchemaFiles(
          SinkSchema.class,
          List.of(
              "001-summaries.sql",
              "002-groups-events.sql",
              "003-status.sql",
              "004-latest.sql",
              "005-reports.sql",
              "006-waiting.sql",
              "007-generations.sql",
              "008-changes.sql",
              "009-now-late.sql",
              "010-leader-epochs.sql"),
          "weir sink --init");

  private SinkSchema() {}

  /** All files, concatenated, for psql. */
  public static String text() {
    return FILES.text();
  }

  /**
   * Runs the new files in one transaction.
   *
   * @throws io.weir.internal.postgres.PostgresRefusedException if the database does not answer or
   *     denies it
   */
  public static List<Applied> init(SinkSettings settings) {
    return FILES.init(address(settings));
  }

  static List<Applied> init(Connection connection) throws SQLException {
    return FILES.init(connection);
  }

  static DatabaseAddress address(SinkSettings settings) {
    return new DatabaseAddress(
        settings.requiredUrl(),
        settings.user(),
        settings.password(),
        "weir sink",
        "weir.sink.jdbc");
  }
}
