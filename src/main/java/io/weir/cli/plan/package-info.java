/** What a load takes, reckoned from measured figures. Plain arithmetic; uses no cluster. */
package io.weir.cli.plan;
