/**
 * The windows of a sensor as a picture in a terminal. Start at {@link io.weir.cli.plot.Plots}. Uses
 * {@code text} and the terminal.
 */
package io.weir.cli.plot;
