const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;
const WORD = 65_536;

/** The five digits of each limb value below 58², two by two: half the work of writing digits one at a time. */
const PAIRS = Array.from(
  { length: 58 * 58 },
  (_, n) => `${ALPHABET[Math.floor(n / 58)] ?? ''}${ALPHABET[n % 58] ?? ''}`,
);

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** From here on long division pays; keys and signatures are shorter, transactions longer. */
const LONG_BYTES = 128;

/**
 * Base58 text of any bytes. The cost grows with the square of the length. Short input goes in limbs of five digits and words
 * of two bytes, which a double holds exactly (58⁵ · 2¹⁶ < 2⁴⁶); a transaction is halved by long division until two limbs are
 * left, a third of the time again.
 */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1;
  const text = bytes.length < LONG_BYTES ? short(bytes) : long(bytes);
  let leading = 0;
  while (leading < text.length && text[leading] === '1') leading += 1;
  return '1'.repeat(zeros) + text.slice(leading);
}

/** With leading ones, as many as there happen to be. */
function short(bytes: Uint8Array): string {
  const limbs: number[] = [];
  // An odd length is read as if a zero byte came first.
  for (let at = bytes.length % 2 === 0 ? 0 : -1; at < bytes.length; at += 2) {
    let carry = (at < 0 ? 0 : (bytes[at] ?? 0)) * 256 + (bytes[at + 1] ?? 0);
    for (let i = 0; i < limbs.length; i += 1) {
      carry += (limbs[i] ?? 0) * WORD;
      const rest = Math.floor(carry / LIMB);
      limbs[i] = carry - rest * LIMB;
      carry = rest;
    }
    if (carry > 0) limbs.push(carry);
  }
  let text = '';
  for (let i = limbs.length - 1; i >= 0; i -= 1) text += digits(limbs[i] ?? 0);
  return text;
}

/** As `short`. */
function long(bytes: Uint8Array): string {
  const value = BigInt(`0x${Array.from(bytes, (byte) => HEX[byte] ?? '').join('')}`);
  // Powers 58^10, 58^20, 58^40 …: two bytes take less than three digits.
  const powers = [BigInt(LIMB) ** 2n];
  for (let length = 2 * DIGITS_PER_LIMB; 4 * length < 3 * bytes.length; length *= 2) {
    powers.push((powers.at(-1) ?? 1n) ** 2n);
  }
  return halved(value, powers, powers.length - 1);
}

/** The digits of a value below the square of the power at `level`. */
function halved(value: bigint, powers: readonly bigint[], level: number): string {
  const power = powers[level];
  if (power === undefined) return digits(Number(value / BigInt(LIMB))) + digits(Number(value % BigInt(LIMB)));
  const high = value / power;
  return halved(high, powers, level - 1) + halved(value - high * power, powers, level - 1);
}

function digits(limb: number): string {
  const low = limb % 3_364;
  const high = Math.floor(limb / 3_364);
  return `${ALPHABET[Math.floor(high / 3_364)] ?? ''}${PAIRS[high % 3_364] ?? ''}${PAIRS[low] ?? ''}`;
}
