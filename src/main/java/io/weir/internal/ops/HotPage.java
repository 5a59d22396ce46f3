package io.weir.internal.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.internal.hot.HeavyHitter;
import io.weir.internal.hot.HotBoard;
import io.weir.internal.hot.HotMinute;
import io.weir.internal.text.Printable;
import java.util.List;

/**
 * The sensors and gateways with the most readings in the last full minute of each partition of this
 * process, as JSON: {@code
 * {"partitions":[{"partition","end_ms","total","share","sensors":[{"id","readings","share"}],
 * "gateway_total","gateways":[{"id","readings","share"}]}]}}. Shares are of the partition, from 0
 * to 1; {@code share} is that of the heaviest sensor.
 */
public record HotPage(HotBoard board) implements Page {
  public static final String PATH = "/hot";

  @Override
  public Reply.Text reply(PageRequest request) {
    ObjectNode page = JsonNodeFactory.instance.objectNode();
    ArrayNode partitions = page.putArray("partitions");
    board.minutes().forEach(minute -> add(minute, partitions.addObject()));
    return new Reply.Text(200, "application/json", Printable.line(page.toString()) + "\n");
  }

  private static void add(HotMinute minute, ObjectNode json) {
    json.put("partition", minute.partition());
    json.put("end_ms", minute.endMs());
    json.put("total", minute.readings());
    json.put("share", minute.share());
    add(minute.sensors(), minute.readings(), json.putArray("sensors"));
    json.put("gateway_total", minute.gatewayReadings());
    add(minute.gateways(), minute.gatewayReadings(), json.putArray("gateways"));
  }

  private static void add(List<HeavyHitter> heaviest, long total, ArrayNode json) {
    for (HeavyHitter heavy : heaviest) {
      json.addObject()
          .put("id", heavy.id())
          .put("readings", heavy.readings())
          .put("share", HotMinute.share(heavy.readings(), total));
    }
  }
}
