package io.weir.lab.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A view whose last state becomes a picture, as a terminal would show it, when it is closed. */
final class PicturedView implements DemoView {
  private static final int COLUMNS = 110;
  private static final int LINES = 40;

  private final DemoView shown;
  private final Path picture;
  private DemoSnapshot last;

  PicturedView(DemoView shown, Path picture) {
    this.shown = shown;
    this.picture = picture;
  }

  @Override
  public void say(String line) {
    shown.say(line);
  }

  @Override
  public synchronized void show(DemoSnapshot now) {
    last = now;
    shown.show(now);
  }

  @Override
  public synchronized void close() {
    shown.close();
    if (last == null) {
      return;
    }
    try {
      String svg = SvgScreen.of(DemoFrame.of(last, COLUMNS, LINES), COLUMNS);
      Files.writeString(picture, svg, StandardCharsets.UTF_8);
      last = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
