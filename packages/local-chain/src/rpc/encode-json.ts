/**
 * JSON text with bigints as bare integers: u64 values such as lamports and rent epochs are JSON numbers in Solana's
 * protocol even where they exceed 2^53. `undefined` members are left out.
 */
export function encodeJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'object' && value !== null) return encodeObject(value);
  return value === undefined ? 'null' : JSON.stringify(value);
}

function encodeObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${encodeJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
