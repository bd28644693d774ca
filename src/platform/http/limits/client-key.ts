import { groupsOf, withoutMapping } from '../../../core/ip-address.ts';

/**
 * The key that one caller is counted by: an IPv4 address, or the /64 of an IPv6 address, of which one subscriber has 2^64. An IPv4 address
 * written as IPv6 counts as itself.
 */
export function clientKey(ip: string): string {
  const plain = withoutMapping(ip);
  if (!plain.includes(':')) return plain;
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`;
}

/** The /48 around a client's /64, which one subscriber may have whole; null for an IPv4 address. Takes the result of `clientKey`. */
export function widerNet(client: string): string | null {
  if (!client.endsWith('::/64')) return null;
  return `${client.split(':').slice(0, -2).slice(0, -1).join(':')}::/48`;
}
