package io.weir.lab;

/** What a simulated sensor measures: a daily curve, a faster ripple, and noise. Stateless. */
public enum Signal {
  TEMPERATURE("temp", "\u00b0C", 21, 4, 0.6, 0.4),
  VIBRATION("vib", "mm/s", 4.5, 0.8, 0.7, 0.9),
  PRESSURE("press", "hPa", 1013, 9, 2.5, 1.2);

  private static final double DAY_MS = 86_400_000;
  private static final double RIPPLE_MS = 47_000;

  private final String prefix;
  private final String unit;
  private final double middle;
  private final double daily;
  private final double ripple;
  private final double noise;

  Signal(String prefix, String unit, double middle, double daily, double ripple, double noise) {
    this.prefix = prefix;
    this.unit = unit;
    this.middle = middle;
    this.daily = daily;
    this.ripple = ripple;
    this.noise = noise;
  }

  /** What the ids of its sensors begin with. */
  public String prefix() {
    return prefix;
  }

  public String unit() {
    return unit;
  }

  /**
   * The value at a time.
   *
   * @param timestampMs milliseconds since the Unix epoch
   * @param character 0 to 1, what makes a sensor differ from its neighbours: its phase and level
   * @param chance -1 to 1, the noise of this one reading
   */
  public double at(long timestampMs, double character, double chance) {
    double day = Math.sin(2 * Math.PI * (timestampMs / DAY_MS + character / 8));
    double fast = Math.sin(2 * Math.PI * (timestampMs / RIPPLE_MS * (0.5 + character) + character));
    return middle * (0.98 + 0.04 * character) + daily * day + ripple * fast + noise * chance;
  }
}
