package io.weir.internal.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in PEM. */
public final class PemFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private PemFiles() {}

  /**
   * A store with the chain and its key.
   *
   * @throws IOException with one line that names the file
   */
  public static KeyStore keyStore(Path chain, Path key) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "weir", privateKey(key), new char[0], certificates(chain).toArray(new Certificate[0]));
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException(chain + ", " + key + ": " + e.getMessage(), e);
    }
  }

  /** A store of trusted certificates. */
  public static KeyStore trustStore(Path authorities) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (Certificate each : certificates(authorities)) {
        store.setCertificateEntry("ca-" + store.size(), each);
      }
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException(authorities + ": " + e.getMessage(), e);
    }
  }

  private static Collection<? extends Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new IOException(file + ": expected: certificates in PEM");
      }
      return found;
    }
  }

  private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
    Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
    if (!key.find()) {
      throw new IOException(
          file + ": expected: -----BEGIN PRIVATE KEY-----; openssl pkcs8 -topk8 -nodes makes it");
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        continue;
      }
    }
    throw new IOException(file + ": expected: a key of RSA, EC or Ed25519");
  }
}
