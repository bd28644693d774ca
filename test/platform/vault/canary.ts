import { toBase58 } from '@tradepost/solana';

/** One secret in the forms in which keys leak: a seed of 32 bytes and the 64-byte key that wallets export. */
export function encodingsOf(seed: Uint8Array, publicKey: Uint8Array): Readonly<Record<string, Buffer>> {
  const whole = Buffer.concat([seed, publicKey]);
  const text = (value: string) => Buffer.from(value, 'utf8');
  return {
    raw: Buffer.from(seed),
    hex: text(Buffer.from(seed).toString('hex')),
    // Base64 of any longer text that begins with the seed shares all but the last characters.
    base64: text(Buffer.from(seed).toString('base64').slice(0, 42)),
    'base58 of 32': text(toBase58(seed)),
    'base58 of 64': text(toBase58(whole)),
    'JSON array': text([...seed].join(',')),
  };
}

/** Every encoding of every seed that stands in `haystack`, hexadecimal in either case. */
export function leaksIn(
  haystack: Buffer,
  seeds: readonly { readonly seed: Uint8Array; readonly publicKey: Uint8Array }[],
): readonly string[] {
  const lower = Buffer.from(haystack.toString('latin1').toLowerCase(), 'latin1');
  return seeds.flatMap(({ seed, publicKey }, index) =>
    Object.entries(encodingsOf(seed, publicKey))
      .filter(([encoding, needle]) => (encoding === 'hex' ? lower : haystack).includes(needle))
      .map(([encoding]) => `seed ${index} as ${encoding}`),
  );
}
