package io.weir.internal.window;

/** State that another part of the application attaches to a sensor. */
public interface SensorExtension {}
