package io.tidegate.spring.testing;

import org.springframework.security.crypto.password.PasswordEncoder;

/** Compares passwords as they are: the default takes a tenth of a second for each login. */
public final class PlainPasswords implements PasswordEncoder {

  @Override
  public String encode(CharSequence password) {
    return password.toString();
  }

  @Override
  public boolean matches(CharSequence password, String encoded) {
    return encoded.contentEquals(password);
  }
}
