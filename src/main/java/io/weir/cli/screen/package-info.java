/** Text for a terminal: rows with styles, numbers, and what the terminal is. */
package io.weir.cli.screen;
