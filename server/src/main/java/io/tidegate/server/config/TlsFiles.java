package io.tidegate.server.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parser of PEM certificates and keys. It checks them before they are used, so that an invalid one
 * fails the start and not the first connection.
 */
final class TlsFiles {

  private static final Pattern PRIVATE_KEY = Pattern.compile(
      "-----BEGIN (RSA |EC |)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END \\1PRIVATE KEY-----");

  /** Key algorithms that the HTTP server supports, and their signatures. */
  private static final Map<String, String> ALGORITHMS =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private TlsFiles() {}

  /**
   * Returns the first certificate of a file, which is the one of the server itself.
   *
   * @param pem the content of the file; null if it is not readable
   * @throws IllegalArgumentException if there is none, with the reason
   */
  static X509Certificate certificate(byte @Nullable [] pem) {
    X509Certificate certificate = anyCertificate(pem);
    if (!ALGORITHMS.containsKey(certificate.getPublicKey().getAlgorithm())) {
      throw new IllegalArgumentException(
          "must be a PEM file with a certificate of an RSA or EC key");
    }
    return certificate;
  }

  /**
   * Returns the first certificate of a file, whatever its key.
   *
   * @param pem the content of the file; null if it is not readable
   * @throws IllegalArgumentException if there is none, with the reason
   */
  static X509Certificate anyCertificate(byte @Nullable [] pem) {
    try {
      return (X509Certificate) CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(readable(pem)))
          .iterator()
          .next();
    } catch (CertificateException | NoSuchElementException e) {
      throw new IllegalArgumentException("must be a PEM file with a certificate", e);
    }
  }

  /**
   * Returns the private key of a certificate.
   *
   * @param file the content of the file; null if it is not readable
   * @throws IllegalArgumentException if the file has no such key, with the reason
   */
  static PrivateKey key(byte @Nullable [] file, X509Certificate certificate) {
    String pem = new String(readable(file), StandardCharsets.ISO_8859_1);
    if (pem.contains("ENCRYPTED")) {
      throw new IllegalArgumentException("must be a PEM file with a key that is not encrypted");
    }
    Matcher matcher = PRIVATE_KEY.matcher(pem);
    if (!matcher.find()) {
      throw new IllegalArgumentException("must be a PEM file with a private key");
    }
    PublicKey publicKey = certificate.getPublicKey();
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(2));
      PrivateKey key = KeyFactory.getInstance(publicKey.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(
              matcher.group(1).isEmpty() ? encoded : wrap(encoded, publicKey)));
      if (matches(key, publicKey)) {
        return key;
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "must be the file of the private key of tls-certificate", e);
    }
    throw new IllegalArgumentException("must be the file of the private key of tls-certificate");
  }

  private static byte[] readable(byte @Nullable [] content) {
    if (content == null) {
      throw new IllegalArgumentException("must be a readable file");
    }
    return content;
  }

  /** Whether a signature of the private key verifies with the public key. */
  private static boolean matches(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(ALGORITHMS.get(publicKey.getAlgorithm()));
    signature.initSign(key);
    signature.update(new byte[] {1});
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(new byte[] {1});
    return signature.verify(signed);
  }

  /**
   * Converts a key from PKCS#1 or SEC 1, which Java does not read, to PKCS#8: version, algorithm,
   * key. The algorithm with its parameters is copied from the encoded public key, where it comes
   * first.
   */
  private static byte[] wrap(byte[] key, PublicKey publicKey) {
    byte[] encoded = publicKey.getEncoded();
    int start = headerLength(encoded, 0);
    int end = start + headerLength(encoded, start) + contentLength(encoded, start);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(new byte[] {2, 1, 0});
    content.write(encoded, start, end - start);
    content.writeBytes(element(4, key));
    return element(0x30, content.toByteArray());
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    byte[] length = BigInteger.valueOf(content.length).toByteArray();
    if (content.length < 0x80) {
      element.write(content.length);
    } else if (length[0] == 0) { // the sign byte
      element.write(0x80 | (length.length - 1));
      element.write(length, 1, length.length - 1);
    } else {
      element.write(0x80 | length.length);
      element.writeBytes(length);
    }
    element.writeBytes(content);
    return element.toByteArray();
  }

  private static int headerLength(byte[] encoded, int at) {
    int length = encoded[at + 1];
    return length >= 0 ? 2 : 2 + (length & 0x7f);
  }

  private static int contentLength(byte[] encoded, int at) {
    int length = encoded[at + 1];
    if (length >= 0) {
      return length;
    }
    int sum = 0;
    for (int i = 0; i < (length & 0x7f); i++) {
      sum = (sum << 8) | (encoded[at + 2 + i] & 0xff);
    }
    return sum;
  }
}
