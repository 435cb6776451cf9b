import ipaddr from 'ipaddr.js';

/**
 * Addresses at which clouds give credentials to whoever asks from inside. Networks that contain them do not allow them: only
 * an entry for the single address does.
 */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
]);

/** What is known of an address. */
export interface AddressVerdict {
  /** The address that packets reach in the end: the IPv4 address inside of an IPv4-mapped or NAT64 address. */
  readonly effective: string;
  readonly isPublic: boolean;
  readonly isMetadata: boolean;
  /** For people: `loopback`, `private`, `linkLocal`, ... */
  readonly kind: string;
}

/**
 * Judges an IP address. Public is what the registries call globally reachable unicast, and nothing else: no loopback,
 * private, link-local, shared, reserved, documentation or multicast address, and no address of a tunnel (6to4, Teredo), which
 * leads to an IPv4 address inside of it. IPv4-mapped (RFC 4291) and NAT64 addresses (RFC 6052) are judged as the IPv4 address
 * in them. `undefined` for anything but an address.
 */
export function judgeAddress(text: string): AddressVerdict | undefined {
  if (text.includes('%') || !ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.parse(text);
  if (parsed instanceof ipaddr.IPv4) return judgeIpv4(parsed);
  const bytes = parsed.toByteArray();
  const kind = parsed.range();
  if (kind === 'ipv4Mapped' || kind === 'rfc6052') return judgeIpv4(new ipaddr.IPv4(bytes.slice(12)));
  const effective = parsed.toString();
  const isMetadata = metadataAddresses.has(effective);
  // Global unicast (RFC 4291, section 2.4): everything else is special, whether a registry names it or not.
  const isGlobal = ((bytes[0] ?? 0) & 0xe0) === 0x20;
  const isPublic = kind === 'unicast' && isGlobal && !isMetadata && !leadsInside(bytes);
  return { effective, isPublic, isMetadata, kind: isMetadata ? 'metadata' : kind };
}

function judgeIpv4(address: ipaddr.IPv4): AddressVerdict {
  const effective = address.toString();
  const isMetadata = metadataAddresses.has(effective);
  const kind = address.range();
  return {
    effective,
    isPublic: kind === 'unicast' && !isMetadata,
    isMetadata,
    kind: isMetadata ? 'metadata' : kind,
  };
}

/** An ISATAP address (RFC 5214) leads to the IPv4 address at its end. */
function leadsInside(bytes: readonly number[]): boolean {
  const [first = 0, second, third, fourth] = bytes.slice(8, 12);
  if ((first & 0xfd) !== 0 || second !== 0 || third !== 0x5e || fourth !== 0xfe) return false;
  return !judgeIpv4(new ipaddr.IPv4(bytes.slice(12))).isPublic;
}
