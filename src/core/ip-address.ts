/** An IPv4 address that is written as IPv6 (`::ffff:…`), in any spelling, as itself; every other address without its zone. */
export function withoutMapping(ip: string): string {
  const bare = ip.split('%')[0] ?? '';
  if (!bare.includes(':')) return bare;
  const groups = groupsOf(bare);
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  const isMapped =
    groups.length === 8 && groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
  if (!isMapped || high === undefined || low === undefined) return bare;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address, in their shortest spelling. */
export function groupsOf(ip: string): readonly string[] {
  // The last two groups may be written as IPv4.
  const [, before4 = ip, ...bytes] = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(ip) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  const hex =
    bytes.length === 0 ? ip : `${before4}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const [head = '', tail] = hex.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}
