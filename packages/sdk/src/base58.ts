const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 text of any bytes. */
export function toBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let at = 0; at < digits.length || carry > 0; at += 1) {
      carry += (digits[at] ?? 0) * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const leading = zeros === -1 ? bytes.length : zeros;
  return (
    '1'.repeat(leading) +
    digits
      .reverse()
      .map((digit) => LETTERS[digit])
      .join('')
  );
}

/** The bytes of base58 text. Throws TypeError for a letter that base58 does not have. */
export function fromBase58(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of text) {
    let carry = LETTERS.indexOf(letter);
    if (carry === -1) throw new TypeError(`expected base58; it has no letter "${letter}"`);
    for (let at = 0; at < bytes.length || carry > 0; at += 1) {
      carry += (bytes[at] ?? 0) * 58;
      bytes[at] = carry & 0xff;
      carry >>= 8;
    }
  }
  const leading = /^1*/.exec(text)?.[0].length ?? 0;
  return Uint8Array.from([...Array.from({ length: leading }, () => 0), ...bytes.reverse()]);
}
