package io.weir.lab.chaos;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Asks {@code weir serve} about what a hostile writer sent. Stateless. */
record HostileServe(int port) {
  private static final int TIMEOUT_MS = 30_000;
  private static final List<String> PATHS =
      List.of(
          "overview",
          "sensors?limit=1000",
          "windows?id=hostile&from=0&limit=1000",
          "groups?limit=1000",
          "alarms?limit=1000",
          "late?limit=1000",
          "dead-letters?limit=1000");

  String address() {
    return "127.0.0.1:" + port;
  }

  /** The questions that it answered with a fault of its own; none where it does not run. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (String path : PATHS) {
      try {
        HttpURLConnection asked =
            (HttpURLConnection)
                URI.create("http://" + address() + "/api/v1/" + path).toURL().openConnection();
        asked.setConnectTimeout(TIMEOUT_MS);
        asked.setReadTimeout(TIMEOUT_MS);
        int status = asked.getResponseCode();
        asked.disconnect();
        if (status == HttpURLConnection.HTTP_INTERNAL_ERROR) {
          faults.add("serve answered " + status + " to " + path);
        }
      } catch (IOException e) {
        return faults; // It starts, or has ended: that is noticed elsewhere.
      }
    }
    return faults;
  }
}
