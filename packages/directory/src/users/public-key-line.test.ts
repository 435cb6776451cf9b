import { describe, expect, it } from 'vitest';
import { commentOfPublicKeyLine, parsePublicKeyLine } from './public-key-line.ts';

function blob(type: string, rest = 'key'): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, Buffer.from(type), Buffer.from(rest)]).toString('base64');
}

describe('parsePublicKeyLine', () => {
  it.each(['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256'])('reads %s, without comment and blanks', (type) => {
    expect(parsePublicKeyLine(`  ${type}  ${blob(type)} me@home, at work\n`)).toBe(`${type} ${blob(type)}`);
  });

  it.each([
    [' me@home, at work\n', 'me@home, at work'],
    ['   ', undefined],
    ['', undefined],
  ])('finds the comment in %j', (rest, comment) => {
    expect(commentOfPublicKeyLine(`ssh-ed25519 ${blob('ssh-ed25519')}${rest}`)).toBe(comment);
  });

  it.each([
    ['an unknown type', `ssh-dss ${blob('ssh-dss')}`],
    ['options in front', `no-pty ssh-ed25519 ${blob('ssh-ed25519')}`],
    ['a blob of another type', `ssh-ed25519 ${blob('ssh-rsa')}`],
    ['a blob too short', 'ssh-ed25519 AAAA'],
    ['no blob', 'ssh-ed25519'],
    ['nothing', ''],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ])('refuses %s', (_what, line) => {
    expect(parsePublicKeyLine(line)).toBeUndefined();
  });
});
