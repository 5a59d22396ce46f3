package io.weir.cli.pages;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The HTTP ports of running processes. A host name with several addresses, such as that of a
 * headless service, stands for a process at each of them. For one thread; the timeout of a page is
 * {@value #TIMEOUT_SECONDS} s.
 */
public final class Processes {
  private static final int TIMEOUT_SECONDS = 5;

  private final List<String> urls;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS)).build();

  /**
   * @param urls base URLs such as http://weir:8080
   */
  public Processes(List<String> urls) {
    this.urls = List.copyOf(urls);
  }

  /**
   * A page of a process.
   *
   * @param process its address
   */
  public record Fetched(String process, String text) {}

  /**
   * The answer of a process.
   *
   * @param address address of the process; the given URL if the host is unknown
   * @param text text of the page; empty without an answer
   * @param failure the reason for no answer
   */
  public record Answer(URI address, String text, Optional<String> failure) {
    /** Its host and port. */
    public String process() {
      return address.getAuthority();
    }
  }

  /**
   * The same page of every process, like {@link #get}, but continues after a process that does not
   * answer.
   *
   * @throws IOException if a URL is invalid
   */
  public List<Answer> ask(String path) throws IOException {
    Map<URI, Answer> answers = new LinkedHashMap<>();
    for (String url : urls) {
      URI given = parse(url);
      try {
        for (URI process : addresses(url)) {
          answers.computeIfAbsent(process, address -> answer(address, path));
        }
      } catch (IOException e) {
        answers.put(given, new Answer(given, "", Optional.of(e.getMessage())));
      }
    }
    return List.copyOf(answers.values());
  }

  private Answer answer(URI process, String path) {
    try {
      return new Answer(process, page(process, path), Optional.empty());
    } catch (IOException e) {
      return new Answer(process, "", Optional.of(e.getMessage()));
    }
  }

  /**
   * The same page of every process. Each call resolves host names again, to find new and removed
   * processes.
   *
   * @throws IOException if one does not answer with 200; the message has the process and the remedy
   */
  public List<Fetched> get(String path) throws IOException {
    Set<URI> processes = new LinkedHashSet<>();
    for (String url : urls) {
      processes.addAll(addresses(url));
    }
    List<Fetched> pages = new ArrayList<>();
    for (URI process : processes) {
      pages.add(new Fetched(process.getAuthority(), page(process, path)));
    }
    return pages;
  }

  private static List<URI> addresses(String url) throws IOException {
    String bare = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    URI uri = parse(bare);
    if (!uri.getScheme().equals("http")) {
      return List.of(uri); // A certificate is valid for a host name.
    }
    List<URI> found = new ArrayList<>();
    try {
      InetAddress[] addresses = InetAddress.getAllByName(uri.getHost());
      if (addresses.length == 1 || addresses[0].isLoopbackAddress()) {
        return List.of(uri);
      }
      for (InetAddress address : addresses) {
        String host = address.getHostAddress();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String quoted = host.contains(":") ? "[" + host + "]" : host;
        found.add(URI.create("http://" + quoted + port + uri.getRawPath()));
      }
    } catch (UnknownHostException e) {
      throw new IOException("--url " + url + ": no such host", e);
    }
    return found;
  }

  private static URI parse(String url) throws IOException {
    try {
      URI uri = URI.create(url);
      if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(wrong(url), e);
    }
    throw new IOException(wrong(url));
  }

  private static String wrong(String url) {
    return "--url " + url + ": expected: http://HOST:PORT, comma-separated";
  }

  /**
   * A page of one process.
   *
   * @throws IOException if it does not answer with 200; names it and what to look at
   */
  public String page(URI process, String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(process + path))
            .timeout(Duration.ofSeconds(TIMEOUT_SECONDS))
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(
            process + path + " answers " + response.statusCode() + ": is it the port of weir run?");
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      String why = e.getMessage() == null ? "does not answer" : e.getMessage();
      throw new IOException(
          why.startsWith("http") ? why : process + path + ": " + why + " (--url, weir.http.port)",
          e);
    }
  }
}
