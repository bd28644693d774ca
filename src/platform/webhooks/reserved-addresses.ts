import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { withoutMapping } from '../../core/ip-address.ts';

/** Not of the public internet, by the registries of IANA (RFC 6890 and later), and those that wrap or tunnel to an IPv4 address. */
const RESERVED = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 96, 'ipv6'],
  ['::ffff:0:0', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['100::', 64, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
  ['5f00::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const;

/** A list for each family: in one list, the network of mapped addresses would hold every IPv4 address. */
const reserved = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, bits, family] of RESERVED) reserved[family].addSubnet(network, bits, family);
const loopback = { ipv4: new BlockList(), ipv6: new BlockList() };
loopback.ipv4.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.ipv6.addAddress('::1', 'ipv6');

/** Whether an address is one of the public internet. A text that is no address is not. */
export function isPublicAddress(ip: string): boolean {
  return !isIn(reserved, ip, true);
}

/** Whether an address is of this machine. */
export function isLoopbackAddress(ip: string): boolean {
  return isIn(loopback, ip, false);
}

function isIn(addresses: typeof reserved, ip: string, otherwise: boolean): boolean {
  const bare = withoutMapping(ip);
  if (isIPv4(bare)) return addresses.ipv4.check(bare, 'ipv4');
  return isIPv6(bare) ? addresses.ipv6.check(bare, 'ipv6') : otherwise;
}
