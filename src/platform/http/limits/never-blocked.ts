import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { withoutMapping } from '../../../core/ip-address.ts';

/** Addresses behind which many people sit, or this machine itself: a block would hit people who did nothing. */
const SHARED = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const;

/** Whether an address is shared, or one of the proxies that the operator trusts (addresses or CIDR ranges). */
export function createNeverBlocked(trustedProxies: readonly string[]): (ip: string) => boolean {
  const list = new BlockList();
  for (const [network, bits, family] of SHARED) list.addSubnet(network, bits, family);
  for (const proxy of trustedProxies) {
    const [network = '', bits] = proxy.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return (ip) => {
    const bare = withoutMapping(ip);
    if (isIPv4(bare)) return list.check(bare, 'ipv4');
    // A text that is no address cannot be blocked by it.
    return !isIPv6(bare) || list.check(bare, 'ipv6');
  };
}
