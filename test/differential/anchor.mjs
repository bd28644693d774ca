/** Decoded Anchor accounts with camelCase keys, as the vendors' functions want them. */
export function camelCase(BN, value) {
  if (Array.isArray(value)) return value.map((inner) => camelCase(BN, inner));
  if (value === null || typeof value !== 'object') return value;
  if (BN.isBN(value) || value.toBase58 !== undefined || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/_([a-z0-9])/g, (_match, letter) => letter.toUpperCase()),
      camelCase(BN, inner),
    ]),
  );
}
