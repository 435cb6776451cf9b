/** What transfers are encrypted with: what OpenSSH's client prefers, and what is quickest. */
export const transferCiphers = ['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com'].map((cipher) => ({
  cipher,
  name: cipher.split('@')[0] ?? cipher,
}));
