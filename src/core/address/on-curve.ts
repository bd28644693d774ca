import { type Address, addressBytes } from './address.ts';

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

function modPow(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let b = base % P, e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) {
    if (e & 1n) result = (result * b) % P;
  }
  return result;
}

/**
 * True when the 32 bytes decompress to a point of Ed25519, so that somebody can hold its key. Program-derived addresses
 * are off the curve: SOL sent there is reachable only by their program. Source of truth: RFC 8032 §5.1.3.
 */
export function isOnCurve(value: Address): boolean {
  const bytes = addressBytes(value);
  let y = 0n;
  for (let i = 31; i >= 0; i--) y = (y << 8n) | BigInt(i === 31 ? (bytes[i] ?? 0) & 0x7f : (bytes[i] ?? 0));
  if (y >= P) return false;
  const ySquared = (y * y) % P;
  const u = (ySquared - 1n + P) % P;
  const v = (D * ySquared + 1n) % P;
  // u/v is a square exactly when (u/v)^((p-1)/2) is 0 or 1; u·v is a square under the same condition, without a division.
  const legendre = modPow((u * v) % P, (P - 1n) / 2n);
  if (legendre === P - 1n) return false;
  const xIsZero = u === 0n;
  const signBit = ((bytes[31] ?? 0) & 0x80) !== 0;
  return !(xIsZero && signBit);
}
