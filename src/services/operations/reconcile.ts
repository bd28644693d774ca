import type { Address } from '../../core/address/address.ts';
import type { FeesAt } from '../../core/fees/fee-table.ts';
import { intentIdOfMemo } from '../../core/intents/memo-intent.ts';
import { agreementOf, isAlone, type Opinion } from '../../core/intents/review.ts';
import { LANDING_RULE } from '../../core/intents/verdict.ts';
import type { Chain, LandedTransaction } from '../../core/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../core/ports/chain-history.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Mismatch, Quarantine, QuarantineStore } from '../../core/ports/operations.ts';
import type { OrderStore } from '../../core/ports/order-store.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import type { Settlements } from '../transactions/settlement.ts';
import { adoptAttempt } from './adopt-attempt.ts';
import { hearAttempt } from './hear-attempt.ts';
import { recoverIntent } from './recover-intent.ts';
import { recoverPayout } from './recover-payout.ts';

export type ReconcileDeps = {
  readonly db: Database;
  readonly quarantines: QuarantineStore;
  readonly chain: Pick<Chain, 'landed' | 'latestBlockhash' | 'token' | 'accounts' | 'testimony' | 'probe'>;
  readonly history: ChainHistory;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Wallet;
  readonly fees: FeesAt;
  readonly settlements: Settlements;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (line: string) => void;
};

/** One transaction of ours that the database did not know, with what was made of it. */
export type Finding = {
  readonly signature: string;
  readonly intentId: string;
  readonly what: 'completed' | 'recreated' | 'failed-on-chain' | 'mismatch';
  readonly detail: string;
};

export type Reconciliation = {
  readonly wallets: number;
  /** Transactions on chain since the database's moment that carry a memo of ours. */
  readonly seen: number;
  readonly findings: readonly Finding[];
  /** Findings that a person must look at; the quarantine stays unless they are accepted. */
  readonly mismatches: readonly Mismatch[];
};

/** A clock that is off, and the life of a blockhash: what was signed up to this long before counts as after. */
const MARGIN_MS = 15 * 60_000;
const PAGE = 200;

/** What a landed transaction of ours is brought into the books with. */
export type Landing = {
  readonly intentId: string;
  readonly entry: HistoryEntry;
  readonly landed: LandedTransaction;
  /** Its wire bytes. */
  readonly wire: Uint8Array;
  /** The wallet that paid for it. */
  readonly wallet: Wallet;
  /** What every endpoint says of how it ended. */
  readonly opinions: readonly Opinion[];
};

/**
 * Compares everything that the service's wallets signed since `quarantine.dataAsOf` with the database, and brings what is
 * missing into it, in the order of the chain: an open intent whose lost attempt landed is completed, a lost intent is
 * recreated from what it did, with its fee, reward and payout. Nothing is signed and nothing is sent. Safe to run again: each
 * transaction is adopted in one commit and known from then on. Waits first until nothing that was signed before this moment
 * can land any more. Does not lift the quarantine: see `liftQuarantine`.
 */
export async function reconcile(deps: ReconcileDeps, quarantine: Quarantine): Promise<Reconciliation> {
  await waitUntilSettled(deps);
  const wallets = await deps.quarantines.wallets();
  const since = quarantine.dataAsOf - MARGIN_MS;
  const entries = new Map<string, { readonly entry: HistoryEntry; readonly intentId: string }>();
  for (const [index, { address }] of wallets.entries()) {
    for (const entry of await historySince(deps.history, address, since)) {
      const intentId = intentIdOfMemo(entry.memo);
      if (intentId !== null) entries.set(entry.signature, { entry, intentId });
    }
    if (index % 100 === 99) deps.onProgress(`${index + 1} of ${wallets.length} wallets walked`);
  }
  const ordered = [...entries.values()].sort((a, b) => Number(a.entry.slot - b.entry.slot));
  const findings: Finding[] = [];
  const mismatches: Mismatch[] = [];
  const payouts: Landing[] = [];
  const unknown: Landing[] = [];
  for (const one of ordered) {
    const landing = await unknownLanding(deps, one, mismatches);
    if (landing !== null) unknown.push(landing);
  }
  // Where nobody else can be asked, each is asked for a second time, as late as for every other verdict.
  if (unknown.some(({ opinions }) => isAlone(opinions))) await deps.pause(LANDING_RULE.secondLookAfterMs);
  for (const landing of unknown) {
    const doubt = await doubtOf(deps, landing);
    if (doubt !== null) {
      mismatches.push({ rule: 'disputed', subject: landing.entry.signature, detail: doubt });
      continue;
    }
    // Rewards first: a payout of the same moment is made of them.
    if (landing.wallet.id === deps.treasury.id) payouts.push(landing);
    else findings.push(await adopt(deps, landing));
  }
  for (const landing of payouts) findings.push(await adopt(deps, landing));
  for (const { what, signature, detail } of findings) {
    if (what === 'mismatch') mismatches.push({ rule: 'unmatched', subject: signature, detail });
  }
  return { wallets: wallets.length, seen: entries.size, findings, mismatches };
}

/** Until the last blockhash that could have been signed with is finally behind, something may still land. */
async function waitUntilSettled({ chain, history, pause, onProgress }: ReconcileDeps): Promise<void> {
  const { lastValidBlockHeight } = await chain.latestBlockhash();
  let told = false;
  for (;;) {
    const height = await history.finalizedHeight();
    if (height > lastValidBlockHeight) return;
    if (!told)
      onProgress(
        `waiting until nothing signed earlier can land (block ${lastValidBlockHeight}, now ${height})`,
      );
    told = true;
    await pause(Number(lastValidBlockHeight - height) > 20 ? 1_000 : 200);
  }
}

async function historySince(
  history: ChainHistory,
  address: Address,
  since: number,
): Promise<readonly HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  for (let before: string | null = null; ; ) {
    const page = await history.signatures(address, { before, limit: PAGE });
    for (const entry of page) if (entry.at === null || entry.at >= since) found.push(entry);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || (last.at !== null && last.at < since)) return found;
    before = last.signature;
  }
}

/** The transaction with its paying wallet, or null when the database knows it or when it is not ours. */
async function unknownLanding(
  deps: ReconcileDeps,
  { entry, intentId }: { readonly entry: HistoryEntry; readonly intentId: string },
  mismatches: Mismatch[],
): Promise<Landing | null> {
  const attempts = await deps.db.intents.attempts(intentId);
  if (attempts.some((attempt) => attempt.signature === entry.signature)) return null;
  const landed = await deps.chain.landed(entry.signature);
  const payer = landed?.balances[0]?.address;
  const wire = await deps.history.wire(entry.signature);
  if (landed === null || payer === undefined || wire === null) {
    mismatches.push({
      rule: 'unserved',
      subject: entry.signature,
      detail: `no endpoint serves the transaction of intent ${intentId}: name one with a longer history in SOLANA_RPC_URL`,
    });
    return null;
  }
  const wallet = await deps.db.wallets.findByAddress(payer);
  if (wallet !== null) {
    const { opinions } = await hearAttempt(deps, heardOf(entry.signature, wallet));
    return { intentId, entry, landed, wire, wallet, opinions };
  }
  // A stranger's memo may look like ours; a stranger does not pay our fee. Whose key is gone must be told.
  const treasury = landed.balances.find((balance) => balance.address === deps.treasury.address);
  if (treasury !== undefined && treasury.after !== treasury.before && entry.err === null) {
    mismatches.push({
      rule: 'unknown-wallet',
      subject: payer,
      detail: `it traded in ${entry.signature} and is not in this database: if it was a deposit wallet made after the dump, its key is in the newer database only`,
    });
  }
  return null;
}

/** A transaction of which it is not known yet what was asked for. */
const heardOf = (signature: string, wallet: Wallet) => ({
  signature,
  attempt: null,
  wallet: wallet.address,
  params: null,
  createdMint: null,
});

/** Why it cannot be believed that it ended as the history says; null when endpoints agree. */
async function doubtOf(deps: ReconcileDeps, landing: Landing): Promise<string | null> {
  const { entry, wallet, opinions } = landing;
  const again = isAlone(opinions) ? await hearAttempt(deps, heardOf(entry.signature, wallet)) : null;
  const all = [...opinions, ...(again?.opinions ?? [])];
  const agreement = agreementOf(all);
  const word = entry.err === null ? 'landed' : 'failed';
  if (agreement.kind === 'agreed' && agreement.word === word) return null;
  const said = all.map((one) => `${one.endpoint} says ${one.word ?? 'nothing'}`).join(', ');
  return `the history of intent ${landing.intentId} says that it ${word}, and ${said || 'no endpoint answers'}`;
}

async function adopt(deps: ReconcileDeps, landing: Landing): Promise<Finding> {
  const base = { signature: landing.entry.signature, intentId: landing.intentId };
  const known = await deps.db.intents.find(landing.intentId);
  if (known !== null) return { ...base, ...(await adoptAttempt(deps, known, landing)) };
  if (landing.entry.err !== null) {
    return {
      ...base,
      what: 'failed-on-chain',
      detail: 'a lost request that failed on chain: only its network fee is gone',
    };
  }
  const recover = landing.wallet.id === deps.treasury.id ? recoverPayout : recoverIntent;
  return { ...base, ...(await recover(deps, landing)) };
}

/**
 * Ends the quarantine: workers take up the open intents at their next look. Orders that are open pause: a restored dump may not
 * know that one fired, and would fire it again.
 */
export async function liftQuarantine(
  deps: Pick<ReconcileDeps, 'quarantines' | 'clock'> & { readonly orders: Pick<OrderStore, 'pauseAll'> },
  quarantine: Quarantine,
  report: Reconciliation,
): Promise<void> {
  await deps.orders.pauseAll(null, 'restored', deps.clock.now());
  await deps.quarantines.lift(quarantine.id, deps.clock.now(), report);
}
