import {
  type Address,
  readTokenAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { type AppError, isAppError } from '../../../core/errors/app-error.ts';
import { hasAged } from '../../../core/time/age.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { ChainHistory } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { TokenHolding } from '../../tokens/rules/token.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { adjustmentName, unitsChange } from '../rules/adjustment.ts';
import type { OddUnits } from '../store/position-store-port.ts';
import { foldPositions } from './fold-positions.ts';
import { readAccountHistory, type ScanBudget } from './read-account-history.ts';

export type ReconcileDeps = {
  readonly db: Database;
  readonly chain: Pick<Chain, 'accounts' | 'holdings' | 'token' | 'landed' | 'latestBlockhash'>;
  readonly history: Pick<ChainHistory, 'signatures'>;
  readonly programs: Pick<Programs, 'associatedTokenAddress'>;
  readonly treasury: Wallet;
  readonly clock: Clock;
  /** The net proceeds of a sale of the units now; null = no market. */
  readonly worthOf: (wallet: Address, mint: Address, units: bigint) => Promise<bigint | null>;
};

/** Transactions that one look at a wallet reads at most; the rest is for the next one. */
const MOST_READ = 200;
/** A look at the chain is at `confirmed`, its history is final: they may differ for so long. */
const ODD_FOR_MS = 60_000;

/** `adjusted`: mints whose difference no transaction explained. */
export type Reconciled = { readonly recorded: number; readonly adjusted: readonly Address[] };

/**
 * Compares a wallet's holdings on the chain with its events, and reads the transactions of the accounts that differ until they agree. A
 * difference that no transaction explains for a minute is recorded as an adjustment, so that units are the chain's units afterwards.
 * Bounded, and safe to run twice at once: events have unique keys. An account that cannot be read explains nothing and does not keep the
 * others from being compared. Then CHAIN_UNREACHABLE is thrown at the end, and the wallet does not count as compared.
 */
export async function reconcileWallet(
  deps: ReconcileDeps,
  wallet: Wallet & { readonly userId: string },
  options: { readonly asked: boolean },
): Promise<Reconciled> {
  const { db, chain, clock } = deps;
  // Read before the holdings, so a transaction that landed by then is in them.
  const { slot } = await chain.latestBlockhash();
  const holdings = await chain.holdings(wallet.address);
  const budget: ScanBudget = { left: MOST_READ };
  let recorded = 0;
  const unexplained: Address[] = [];
  const refusals: AppError[] = [];
  for (const mint of await differing(deps, wallet, holdings)) {
    try {
      const read = await readMint(deps, wallet, { mint, holdings }, budget);
      recorded += read.recorded;
      if (read.complete) unexplained.push(mint);
    } catch (error) {
      if (!isAppError(error)) throw error;
      refusals.push(error);
    }
  }
  const adjusted = await settleOdd(deps, wallet, { holdings, slot }, unexplained);
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
  await db.positions.markChecked(wallet.id, clock.now(), options.asked);
  return { recorded, adjusted };
}

/** Reads the transactions of one mint's accounts. `complete`: each of them was read to its end. */
async function readMint(
  deps: ReconcileDeps,
  wallet: Wallet & { readonly userId: string },
  { mint, holdings }: { readonly mint: Address; readonly holdings: readonly TokenHolding[] },
  budget: ScanBudget,
): Promise<{ readonly recorded: number; readonly complete: boolean }> {
  const accounts = await accountsOf(deps, wallet, mint, holdings);
  let complete = accounts.length > 0;
  let recorded = 0;
  for (const account of accounts) {
    const read = await readAccountHistory(deps, wallet, { account, mint }, budget);
    recorded += read.recorded;
    complete &&= read.complete;
  }
  return { recorded, complete: complete && (await areListed(deps, wallet, accounts, holdings)) };
}

/** Whether the holdings have every one of these accounts that is there: one that a node left out is not empty. */
async function areListed(
  { chain }: ReconcileDeps,
  wallet: Wallet,
  accounts: readonly Address[],
  holdings: readonly TokenHolding[],
): Promise<boolean> {
  const listed = new Set(holdings.flatMap((holding) => holding.accounts.map(({ address }) => address)));
  const others = accounts.filter((account) => !listed.has(account));
  if (others.length === 0) return true;
  const { accounts: states } = await chain.accounts(others);
  return states.every((state) => {
    if (state === null || ![TOKEN_PROGRAM, TOKEN_2022_PROGRAM].includes(state.owner)) return true;
    const decoded = readTokenAccount(state);
    return decoded !== null && decoded.owner !== wallet.address;
  });
}

const heldOf = (holdings: readonly TokenHolding[], mint: Address): bigint =>
  holdings.find((holding) => holding.mint === mint)?.amount ?? 0n;

async function foldedUnits(deps: ReconcileDeps, wallet: Wallet & { readonly userId: string }) {
  const { positions } = await foldPositions(deps.db, wallet.userId);
  return new Map(positions.filter(({ walletId }) => walletId === wallet.id).map((one) => [one.mint, one]));
}

/**
 * Mints of which the chain and the events say different amounts. Holdings are those at `confirmed`, so a pending trade counts as
 * held. Wrapped SOL is money. Where they agree again, nothing is odd.
 */
async function differing(
  deps: ReconcileDeps,
  wallet: Wallet & { readonly userId: string },
  holdings: readonly TokenHolding[],
): Promise<readonly Address[]> {
  const known = await foldedUnits(deps, wallet);
  const mints = new Set([...holdings.map(({ mint }) => mint), ...known.keys()]);
  const differ = [...mints].filter(
    (mint) => mint !== WSOL_MINT && heldOf(holdings, mint) !== (known.get(mint)?.units ?? 0n),
  );
  for (const [mint, { odd }] of known)
    if (odd !== null && !differ.includes(mint)) await deps.db.positions.saveOdd(wallet.id, mint, null);
  return differ;
}

/** The token accounts whose transactions may explain it: those that are there, and the associated one, which may have been closed. */
async function accountsOf(
  { chain, programs }: ReconcileDeps,
  wallet: Wallet,
  mint: Address,
  holdings: readonly TokenHolding[],
): Promise<readonly Address[]> {
  const holding = holdings.find((one) => one.mint === mint);
  const tokenProgram = holding?.tokenProgram ?? (await chain.token(mint))?.tokenProgram;
  if (tokenProgram === undefined) return [];
  const there = holding?.accounts.map(({ address }) => address) ?? [];
  return [...new Set([...there, programs.associatedTokenAddress(wallet.address, mint, tokenProgram)])];
}

/** The result of one read of the chain; `slot` is from before it. */
type Seen = { readonly holdings: readonly TokenHolding[]; readonly slot: bigint };

/** Differences that are still there once everything is read, and have been there for a minute. */
async function settleOdd(
  deps: ReconcileDeps,
  wallet: Wallet & { readonly userId: string },
  seen: Seen,
  mints: readonly Address[],
): Promise<readonly Address[]> {
  const { db, clock } = deps;
  if (mints.length === 0) return [];
  const known = await foldedUnits(deps, wallet);
  const adjusted: Address[] = [];
  for (const mint of mints) {
    const position = known.get(mint);
    const units = heldOf(seen.holdings, mint) - (position?.units ?? 0n);
    const odd = position?.odd ?? null;
    const now = clock.now();
    const next: OddUnits | null = units === 0n ? null : { units, since: now };
    const lasts =
      odd !== null && next !== null && odd.units === units && hasAged(odd.since, ODD_FOR_MS, clock);
    if (!lasts) {
      if (next?.units !== odd?.units) await db.positions.saveOdd(wallet.id, mint, next);
      continue;
    }
    if (await adjust(deps, wallet, mint, seen)) adjusted.push(mint);
  }
  return adjusted;
}

/**
 * Records the difference that has lasted, where it is still the same under a lock: a trade's own commit may have explained it
 * since, and another look may have recorded it.
 */
async function adjust(
  { db, clock }: ReconcileDeps,
  wallet: Wallet,
  mint: Address,
  { holdings, slot }: Seen,
): Promise<boolean> {
  return db.transact(async ({ positions }) => {
    const odd = await positions.lockOdd(wallet.id, mint);
    if (odd === null) return false;
    // The record alone: while a trade is pending the difference to it is another one, and is looked at again once that is final.
    const events = await positions.events([wallet.id], [mint]);
    const folded = events.reduce((sum, event) => sum + unitsChange(event), 0n);
    const { units, since } = odd;
    if (heldOf(holdings, mint) - folded !== units) return false;
    await positions.record([
      {
        walletId: wallet.id,
        mint,
        signature: adjustmentName(since),
        slot,
        at: clock.now(),
        final: true,
        kind: 'adjustment',
        units,
        intentId: null,
        networkFeeLamports: 0n,
        platformFeeLamports: 0n,
        rentLamports: 0n,
      },
    ]);
    await positions.saveOdd(wallet.id, mint, null);
    return true;
  });
}
