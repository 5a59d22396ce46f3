package io.weir.dev.chaos;

import io.weir.app.WeirConfig;
import io.weir.sink.Sink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Collections;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * {@code weir sink} with a planted bug: its offsets are moved over a connection of their own and
 * committed there, a moment before the rows. Arguments: the bug, and options as {@code weir sink}
 * takes them.
 */
public final class SabotagedSink {
  private static final String MOVE = "update weir_sink_offsets o set next_offset";
  private static final Duration MOMENT = Duration.ofMillis(300);

  private SabotagedSink() {}

  /** Runs until the process is ended. */
  public static void main(String... arguments) throws SQLException {
    WeirConfig config = SabotagedProcess.config(arguments);
    for (Driver driver : Collections.list(DriverManager.getDrivers())) {
      DriverManager.deregisterDriver(driver);
      DriverManager.registerDriver(new ApartDriver(driver));
    }
    Sink.start(config, false).ended().join().ifPresent(System.err::println);
    System.exit(1);
  }

  private static Connection apart(Connection connection, Connection ofOffsets) {
    return (Connection)
        Proxy.newProxyInstance(
            SabotagedSink.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              boolean moves =
                  method.getName().equals("prepareStatement")
                      && ((String) arguments[0]).startsWith(MOVE);
              if (method.getName().equals("commit")) {
                Waiting.until(MOMENT, () -> false);
              }
              try {
                return method.invoke(moves ? ofOffsets : connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Opens two connections instead of one. */
  private record ApartDriver(Driver driver) implements Driver {
    @Override
    public Connection connect(String url, Properties info) throws SQLException {
      Connection connection = driver.connect(url, info);
      return connection == null ? null : apart(connection, driver.connect(url, info));
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
      return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) throws SQLException {
      return driver.getPropertyInfo(url, info);
    }

    @Override
    public int getMajorVersion() {
      return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
      return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
      return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
      return driver.getParentLogger();
    }
  }
}
