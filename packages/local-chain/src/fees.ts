import { COMPUTE_BUDGET_PROGRAM } from './programs.ts';
import { viewOf } from './token-account.ts';
import type { WireConfig, WireMessage } from './wire.ts';

const LAMPORTS_PER_SIGNATURE = 5000n;
const DEFAULT_UNITS = 200_000;
const DEFAULT_BUILTIN_UNITS = 3000;
const MAX_UNITS = 1_400_000;
const SET_LIMIT = 2;
const SET_PRICE = 3;

/** Programs that count 3,000 units instead of 200,000 when no limit is set (SIMD-0170). */
const BUILTINS = new Set<string>([
  COMPUTE_BUDGET_PROGRAM,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
]);

export type FeeTerms = { readonly feeLamports: bigint; readonly priceMicroLamports: bigint };

/** Version 1 says its priority fee in lamports; compute-budget instructions do nothing there. */
function configTerms(message: WireMessage, { priorityFeeLamports, units }: WireConfig): FeeTerms {
  const priority = priorityFeeLamports ?? 0n;
  return {
    feeLamports: LAMPORTS_PER_SIGNATURE * BigInt(message.requiredSignatures) + priority,
    priceMicroLamports: units === null || units === 0 ? 0n : (priority * 1_000_000n) / BigInt(units),
  };
}

/** Lamports the payer is charged: 5,000 per signature plus ceil(unit limit × unit price / 1,000,000). */
export function feeTerms(message: WireMessage): FeeTerms {
  if (message.config !== null) return configTerms(message, message.config);
  let priceMicroLamports = 0n;
  let limit: number | null = null;
  let defaultUnits = 0;
  for (const one of message.instructions) {
    const program = message.staticKeys[one.programIndex];
    if (program === COMPUTE_BUDGET_PROGRAM) {
      const view = viewOf(one.data);
      if (one.data[0] === SET_LIMIT && one.data.length >= 5) limit = view.getUint32(1, true);
      if (one.data[0] === SET_PRICE && one.data.length >= 9) priceMicroLamports = view.getBigUint64(1, true);
    }
    defaultUnits += BUILTINS.has(program ?? '') ? DEFAULT_BUILTIN_UNITS : DEFAULT_UNITS;
  }
  const units = BigInt(Math.min(limit ?? defaultUnits, MAX_UNITS));
  const priority = (units * priceMicroLamports + 999_999n) / 1_000_000n;
  return {
    feeLamports: LAMPORTS_PER_SIGNATURE * BigInt(message.requiredSignatures) + priority,
    priceMicroLamports,
  };
}
