package io.weir.internal.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PointTest {
  private final Point point = new Point();

  private static byte[] line(int tags, int fields) {
    StringBuilder line = new StringBuilder("boiler");
    for (int i = 0; i < tags; i++) {
      line.append(",t").append(i).append("=v").append(i);
    }
    for (int i = 0; i < fields; i++) {
      line.append(i == 0 ? ' ' : ',').append('f').append(i).append("=1");
    }
    return line.toString().getBytes(UTF_8);
  }

  /** For each field again, a line of many tags and fields would cost their product. */
  @Test
  void tag_isLookedForOnceInALine_howeverManyFieldsAskForIt() {
    byte[] line = line(5_000, 5_000);
    byte[] name = "t4999".getBytes(UTF_8);
    List<byte[]> looked = new ArrayList<>();
    for (int lines = 1; lines <= 2; lines++) {
      assertThat(point.scan(line, 0, line.length)).isTrue();
      for (Point.Pair field : point.fields()) {
        byte[] value =
            point.tagValue(
                name,
                wanted -> {
                  looked.add(wanted);
                  return ("v of " + field.keyFrom()).getBytes(UTF_8);
                });
        assertThat(value).asString(UTF_8).isEqualTo("v of " + point.fields()[0].keyFrom());
      }
      assertThat(looked).hasSize(lines);
    }
  }

  @Test
  void template_writesTheTagOfItsName_forEachField() {
    byte[] line = line(5_000, 5_000);
    SensorIdTemplate template = SensorIdTemplate.parse("{tag:t4999}/{field}");
    assertThat(point.scan(line, 0, line.length)).isTrue();
    for (int i = 0; i < point.fields().length; i++) {
      ByteArrayOutputStream id = new ByteArrayOutputStream();
      assertThat(template.write(point, point.fields()[i], id)).isTrue();
      assertThat(id.toString(UTF_8)).isEqualTo("v4999/f" + i);
    }
  }
}
