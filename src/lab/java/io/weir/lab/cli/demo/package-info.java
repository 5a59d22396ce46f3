/** The demo: its run, and its live view. Uses everything but the other commands of its kind. */
package io.weir.lab.cli.demo;
