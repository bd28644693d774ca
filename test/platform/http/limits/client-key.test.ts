import { expect, it } from 'vitest';
import { withoutMapping } from '../../../../src/core/ip-address.ts';
import { clientKey, widerNet } from '../../../../src/platform/http/limits/client-key.ts';
import { createNeverBlocked } from '../../../../src/platform/http/limits/never-blocked.ts';

it.each([
  '::ffff:198.51.100.7',
  '::FFFF:198.51.100.7',
  '::ffff:c633:6407',
  '0:0:0:0:0:ffff:198.51.100.7',
  '0000:0000:0000:0000:0000:ffff:c633:6407',
  '::ffff:198.51.100.7%eth0',
])('%s counts as the IPv4 address that it is', (ip) => {
  expect(clientKey(ip)).toBe('198.51.100.7');
  expect(createNeverBlocked(['198.51.100.0/24'])(ip)).toBe(true);
  expect(createNeverBlocked([])(ip)).toBe(false);
});

it('a private address is never blocked, however it is spelled', () => {
  for (const ip of ['10.1.2.3', '::ffff:a01:203', '::ffff:7f00:1', '0:0:0:0:0:ffff:192.168.0.1'])
    expect(createNeverBlocked([])(ip), ip).toBe(true);
});

it('IPv6 counts by its /64, and the /48 around it is known', () => {
  for (const ip of [
    '2001:db8:1:2::1',
    '2001:0DB8:0001:0002:ffff::3',
    '2001:db8:1:2:0:0:1.2.3.4',
    '2001:db8:1:2::1%en0',
  ])
    expect(clientKey(ip), ip).toBe('2001:db8:1:2::/64');
  expect(clientKey('2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(widerNet('2001:db8:1:2::/64')).toBe('2001:db8:1::/48');
  expect(widerNet(clientKey('2001:db8:1:ffff::1'))).toBe('2001:db8:1::/48');
  expect(widerNet('198.51.100.7')).toBeNull();
  expect(withoutMapping('::1')).toBe('::1');
});
