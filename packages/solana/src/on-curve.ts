import { type Address, addressBytes } from './address.ts';

const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

function squared(base: bigint, times: number): bigint {
  let result = base;
  for (let n = 0; n < times; n += 1) result = (result * result) % P;
  return result;
}

/** base^((p-1)/2) = base^(2²⁵⁴ - 10), by the chain that square roots modulo this prime go: half the products of bit by bit. */
function eulerPower(base: bigint): bigint {
  const z2 = squared(base, 1);
  const z9 = (squared(z2, 2) * base) % P;
  const z11 = (z9 * z2) % P;
  /** Each is base^(2ⁿ - 1). */
  const n5 = (squared(z11, 1) * z9) % P;
  const n10 = (squared(n5, 5) * n5) % P;
  const n20 = (squared(n10, 10) * n10) % P;
  const n40 = (squared(n20, 20) * n20) % P;
  const n50 = (squared(n40, 10) * n10) % P;
  const n100 = (squared(n50, 50) * n50) % P;
  const n200 = (squared(n100, 100) * n100) % P;
  const n250 = (squared(n200, 50) * n50) % P;
  return (squared((squared(n250, 2) * base) % P, 2) * z2) % P;
}

/**
 * True when the 32 bytes decompress to a point of Ed25519, so that a key for it can exist. Program-derived addresses are off the curve: SOL
 * sent there is reachable only by their program. Source of truth: RFC 8032 §5.1.3.
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
  const legendre = eulerPower((u * v) % P);
  if (legendre === P - 1n) return false;
  const xIsZero = u === 0n;
  const signBit = ((bytes[31] ?? 0) & 0x80) !== 0;
  return !(xIsZero && signBit);
}
