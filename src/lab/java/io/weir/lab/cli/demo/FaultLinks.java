package io.weir.lab.cli.demo;

import io.weir.lab.Fault;
import io.weir.lab.GatewayRole;
import io.weir.lab.SimulatedSensor;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Where the page explains each fault of the fleet: records with reason and remedy, or a sensor. */
final class FaultLinks {
  private FaultLinks() {}

  /**
   * A line for each fault.
   *
   * @param page its address, such as http://127.0.0.1:8088
   */
  static List<String> lines(String page, List<SimulatedSensor> sensors) {
    return Stream.of(Fault.values())
        .map(fault -> "%-26s %s/#/%s".formatted(what(fault), page, view(fault, sensors)))
        .toList();
  }

  private static String what(Fault fault) {
    return switch (fault) {
      case OFFLINE -> "offline, returns";
      case RESENDS -> "batches sent twice";
      case FUTURE_CLOCK -> "a clock that is ahead";
      case SLOW_CLOCK -> "a clock that is behind";
      case NOT_A_NUMBER -> "no numbers";
      case MISROUTED -> "wrong partition";
      case POISON -> "records that are no batch";
      case OLD_READINGS -> "late readings";
    };
  }

  /** Refused and late readings are listed with their remedy, each with a link to its window. */
  private static String view(Fault fault, List<SimulatedSensor> sensors) {
    return switch (fault) {
      case OFFLINE, RESENDS, SLOW_CLOCK -> "s/" + sensorOf(fault.gateway(), sensors);
      case OLD_READINGS -> "refused?kind=late";
      case FUTURE_CLOCK, NOT_A_NUMBER, MISROUTED, POISON ->
          "refused?reason=" + FaultReport.as(fault);
    };
  }

  private static String sensorOf(GatewayRole gateway, List<SimulatedSensor> sensors) {
    return sensors.stream()
        .filter(sensor -> sensor.gateway() == gateway)
        .map(sensor -> URLEncoder.encode(sensor.id(), StandardCharsets.UTF_8))
        .findFirst()
        .orElse("");
  }
}
