package io.weir.lab.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * What a gateway process is to do.
 *
 * @param number of the gateway, from 0: its sensors are its own
 * @param perSecond readings a second
 * @param wedges whether it is to stall for ever once it was out of memory
 */
record GatewayTask(
    int number,
    GatewayLife life,
    String bootstrapServers,
    String topic,
    Path ledger,
    long seed,
    int sensors,
    int perSecond,
    boolean wedges) {
  String gatewayId() {
    return "gateway-" + number;
  }

  List<String> toArguments() {
    return List.of(
        Integer.toString(number),
        life.name(),
        bootstrapServers,
        topic,
        ledger.toString(),
        Long.toString(seed),
        Integer.toString(sensors),
        Integer.toString(perSecond),
        Boolean.toString(wedges));
  }

  static GatewayTask ofArguments(String... arguments) {
    return new GatewayTask(
        Integer.parseInt(arguments[0]),
        GatewayLife.valueOf(arguments[1]),
        arguments[2],
        arguments[3],
        Path.of(arguments[4]),
        Long.parseLong(arguments[5]),
        Integer.parseInt(arguments[6]),
        Integer.parseInt(arguments[7]),
        Boolean.parseBoolean(arguments[8]));
  }
}
