/** The windows of a sensor as a picture in a terminal. Uses {@code text} and the terminal. */
package io.weir.cli.plot;
