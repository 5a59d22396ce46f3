/** The demo: its run, and its live view. Uses {@code dev} and the terminal. */
package io.weir.cli.local.demo;
