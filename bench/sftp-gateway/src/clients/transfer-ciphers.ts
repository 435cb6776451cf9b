/** The ciphers of transfers: the preference of OpenSSH's client, and the fastest. */
export const transferCiphers = ['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com'].map((cipher) => ({
  cipher,
  name: cipher.split('@')[0] ?? cipher,
}));
