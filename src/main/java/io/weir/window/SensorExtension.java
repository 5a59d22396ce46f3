package io.weir.window;

/** What another part of the application keeps with a sensor. */
public interface SensorExtension {}
