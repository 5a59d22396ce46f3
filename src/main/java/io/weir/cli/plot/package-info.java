/** The windows of a sensor as a picture, in a terminal or as SVG. */
package io.weir.cli.plot;
