import { type Address, maxBigint } from '@tradepost/solana';
import { bps, bpsCeil, bpsFloor } from '../../../core/amounts/bps.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { IntentKind, IntentParams } from '../../intents/kinds/params.ts';
import { rulesOf } from '../../intents/kinds/rules.ts';
import { landedReceipt } from '../../intents/rules/receipt.ts';
import { recoveredParams } from '../../intents/rules/recovered-params.ts';
import type { Fees, FeesAt } from './fee-table.ts';

/** `unknown`: the facts at hand cannot decide. */
export type Verdict = 'ok' | 'differs' | 'unknown';
export type CheckLine = { readonly what: string; readonly verdict: Verdict; readonly detail: string };

/** The act of a transaction, as far as it shows. A launch may be made of the same instructions as a creation. */
export type LandedKind = 'buy' | 'sell' | 'creation' | 'other';

/** An agreed fee may be older than its block by this much: the offer stays valid, retries take their time. */
const AGREED_WITHIN_MS = 3_600_000;
/** No person may let a sale bring less than half of the quote. */
const WIDEST_SLIPPAGE = 2n;
/** Replaces the params where only the wallet's and the treasury's changes are asked. */
const UNKNOWN: IntentParams = { kind: 'payout', items: [] };

/** The kind and the lamports that a trade's fee is a part of: all that a buy spent, all that a sale brought. */
export function landedSide(
  landed: LandedTransaction,
  treasury: Address | null,
): { readonly kind: LandedKind; readonly solSide: bigint; readonly feeLamports: bigint } {
  const wallet = landed.balances[0]?.address;
  if (wallet === undefined) return { kind: 'other', solSide: 0n, feeLamports: 0n };
  // Without a treasury its share is left in the spent sum, which is right for a buy; a sale cannot be judged then.
  const parties = { wallet, treasury: treasury ?? wallet };
  const receipt = landedReceipt(landed, { ...parties, params: UNKNOWN });
  const feeLamports = receipt.platformFeeLamports;
  if (landed.err !== null) return { kind: 'other', solSide: 0n, feeLamports };
  if (madeMint(landed) !== null) return { kind: 'creation', solSide: 0n, feeLamports };
  const params = recoveredParams(landed, receipt, { ...parties, token: null });
  if (params?.kind === 'buy') return { kind: 'buy', solSide: params.lamportsIn, feeLamports };
  if (params?.kind === 'sell') {
    const net = receipt.walletLamportsDelta + receipt.feeLamports + receipt.rentLamports;
    return { kind: 'sell', solSide: net + feeLamports, feeLamports };
  }
  return { kind: 'other', solSide: 0n, feeLamports };
}

/** Judges the fee of a transaction by the versions in force when it landed and up to an hour before. */
export function checkFee(landed: LandedTransaction, treasury: Address, fees: FeesAt): CheckLine {
  const { kind, solSide, feeLamports } = landedSide(landed, treasury);
  const at = (landed.blockTime ?? 0) * 1_000;
  const [now, before] = [fees(at), fees(at - AGREED_WITHIN_MS)];
  const line = (verdict: Verdict, detail: string): CheckLine => ({
    what: 'fee',
    verdict,
    detail: `${feeLamports} lamports; ${detail}`,
  });
  if (kind === 'other') return line('unknown', 'this is no trade, no creation and no launch of a token');
  if (feeLamports === 0n) return line('ok', 'none was taken');
  if (kind === 'creation') {
    const known = [now, before].flatMap(({ createLamports, launchLamports }) => [
      createLamports,
      launchLamports,
    ]);
    return known.includes(feeLamports)
      ? line('ok', 'what the table says for a creation or a launch')
      : line(
          'differs',
          `the table says ${now.createLamports} for a creation, ${now.launchLamports} for a launch`,
        );
  }
  const rates = [now.tradeBps, before.tradeBps] as const;
  const most = maxBigint(bpsFloor(solSide, rates[0]), bpsFloor(solSide, rates[1]));
  const said = `${now.tradeBps} bps of ${solSide} are ${bpsFloor(solSide, now.tradeBps)}`;
  if (rates.some((rate) => bpsFloor(solSide, rate) === feeLamports)) return line('ok', said);
  if (feeLamports < most) return line('ok', `${said}; less was taken, as with a discount`);
  if (kind === 'sell' && feeLamports <= most * WIDEST_SLIPPAGE) {
    return line(
      'unknown',
      `${said}. The fee of a sale is agreed on its quote, which the chain does not show: right if the sale brought ${shortfall(feeLamports, most)} % less than quoted`,
    );
  }
  return line('differs', said);
}

/** Judges a trade's fee by the terms that were agreed: exact for both sides. */
export function checkAgreedFee(
  terms: { readonly platformFeeLamports: bigint; readonly feeDiscountBps?: number },
  quoted: bigint,
  fees: Fees,
): boolean {
  const full = bpsFloor(quoted, fees.tradeBps);
  return terms.platformFeeLamports <= full - bpsCeil(full, bps(terms.feeDiscountBps ?? 0));
}

/**
 * The one account that got exactly the table's fee, or null, for a caller that does not know the treasury. Only buys, creations and
 * launches can be judged; a sale's proceeds cannot be read without it.
 */
export function likelyTreasury(landed: LandedTransaction, fees: FeesAt): Address | null {
  const at = (landed.blockTime ?? 0) * 1_000;
  const { tradeBps, createLamports, launchLamports } = fees(at);
  const { kind, solSide } = landedSide(landed, null);
  const wanted =
    kind === 'buy'
      ? [bpsFloor(solSide, tradeBps)]
      : kind === 'creation'
        ? [createLamports, launchLamports]
        : [];
  const found = landed.balances.filter(
    ({ before, after }) =>
      after > before && wanted.some((lamports) => lamports > 0n && lamports === after - before),
  );
  return found.length === 1 ? (found[0]?.address ?? null) : null;
}

/** The mint that came into being, or null. */
function madeMint(landed: LandedTransaction): Address | null {
  const made = landed.balances.find(
    ({ address, before, after }) =>
      before === 0n && after > 0n && landed.tokenBalances.some(({ mint }) => mint === address),
  );
  return made?.address ?? null;
}

/** Percent, to a hundredth. */
function shortfall(fee: bigint, most: bigint): string {
  return (Number(((fee - most) * 10_000n) / fee) / 100).toFixed(2);
}

/** Kinds of the books that a landed kind may be. */
export function mayBe(kind: LandedKind, booked: IntentKind): boolean {
  const { fee } = rulesOf(booked);
  if (kind === 'creation') return fee === 'creation';
  return kind === 'other' ? fee === null : kind === booked;
}
