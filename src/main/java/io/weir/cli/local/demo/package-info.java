/** The demo: its run, and its live view. */
package io.weir.cli.local.demo;
