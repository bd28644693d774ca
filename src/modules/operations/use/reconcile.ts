import type { Address } from '@tradepost/solana';
import type { FeesAt } from '../../../engine/fees/rules/fee-table.ts';
import { intentIdOfMemo } from '../../../engine/intents/rules/memo-intent.ts';
import { agreementOf, isAlone, type Opinion } from '../../../engine/intents/rules/review.ts';
import { LANDING_RULE } from '../../../engine/intents/rules/verdict.ts';
import type { SignatureBooks } from '../../../engine/signing/store/signature-books-port.ts';
import type { Settlements } from '../../../engine/transactions/use/settlement.ts';
import type { Chain, LandedTransaction } from '../../../platform/ports/chain.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Mismatch, Quarantine, QuarantineStore } from '../../../platform/ports/operations.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { OrderStore } from '../../orders/store/order-store-port.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { adoptAttempt } from './adopt-attempt.ts';
import { hearAttempt } from './hear-attempt.ts';
import { recoverIntent } from './recover-intent.ts';
import { recoverPayout } from './recover-payout.ts';

export type ReconcileDeps = {
  readonly db: Database;
  readonly quarantines: QuarantineStore;
  readonly chain: Pick<
    Chain,
    'landed' | 'latestBlockhash' | 'token' | 'accounts' | 'testimony' | 'probe' | 'slotMs'
  >;
  readonly history: ChainHistory;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Wallet;
  readonly fees: FeesAt;
  readonly settlements: Settlements;
  readonly pause: (ms: number) => Promise<void>;
  readonly onProgress: (line: string) => void;
};

type SearchDeps = ReconcileDeps & { readonly signatures: Pick<SignatureBooks, 'known'> };

/** One transaction of ours that the database did not know, with the action taken. */
export type Finding = {
  readonly signature: string;
  readonly intentId: string;
  readonly what: 'completed' | 'recreated' | 'failed-on-chain' | 'mismatch';
  readonly detail: string;
};

export type Reconciliation = {
  /** Wallets whose transactions were walked; 0 where the unknown ones were known by name. */
  readonly wallets: number;
  /** Transactions on chain since the database's moment that carry a memo of ours, or that were named. */
  readonly seen: number;
  readonly findings: readonly Finding[];
  /** Findings that a person must look at; the quarantine stays unless they are accepted. */
  readonly mismatches: readonly Mismatch[];
};

/** A clock that is off, and the life of a blockhash: a signature from up to this long before counts as after. */
const MARGIN_MS = 15 * 60_000;
const PAGE = 200;

/** The facts with which a landed transaction of ours is brought into the books. */
export type Landing = {
  readonly intentId: string;
  readonly entry: HistoryEntry;
  readonly landed: LandedTransaction;
  /** Its wire bytes. */
  readonly wire: Uint8Array;
  /** The wallet that paid for it. */
  readonly wallet: Wallet;
  /** Every endpoint's answer on how it ended. */
  readonly opinions: readonly Opinion[];
};

/** A signature of ours on the chain, and the intent that it names. */
type Claimed = { readonly entry: HistoryEntry; readonly intentId: string };

/** One signature in the signer's journal. */
export type Named = { readonly signature: string; readonly intentId: string };

/**
 * Compares all signatures of the service's wallets since `quarantine.dataAsOf` with the database, and brings the missing parts into it, in
 * the order of the chain. An open intent whose lost attempt landed is completed. A lost intent is recreated from its effects, with its fee,
 * reward and payout. Nothing is signed and nothing is sent. Safe to run again: each transaction is adopted in one commit and known from
 * then on. Waits first until no earlier signature can land any more. `named` holds the signatures of the signer's journal since that
 * moment: then only those that the database does not know are requested. Without it, every wallet is walked. Does not lift the quarantine:
 * see `liftQuarantine`.
 */
export async function reconcile(
  deps: SearchDeps,
  quarantine: Quarantine,
  named: readonly Named[] | null = null,
): Promise<Reconciliation> {
  await waitUntilSettled(deps);
  const mismatches: Mismatch[] = [];
  const findings: Finding[] = [];
  const { wallets, seen, claimed } =
    named === null
      ? await walkWallets(deps, quarantine.dataAsOf - MARGIN_MS)
      : await askByName(deps, named, mismatches);
  const ordered = claimed.toSorted((a, b) => Number(a.entry.slot - b.entry.slot));
  const payouts: Landing[] = [];
  const unknown: Landing[] = [];
  for (const one of ordered) {
    const landing = await unknownLanding(deps, one, mismatches);
    if (landing !== null) unknown.push(landing);
  }
  // Where no other endpoint can be asked, each is asked for a second time, as late as for every other verdict.
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
  return { wallets, seen, findings, mismatches };
}

/** All signatures of every wallet since then with a memo of ours, and those of them that no attempt holds. */
async function walkWallets(deps: SearchDeps, since: number): Promise<Search> {
  const wallets = await deps.quarantines.wallets();
  const seen = new Set<string>();
  const claimed = new Map<string, Claimed>();
  for (const [index, { address }] of wallets.entries()) {
    const ours = (await historySince(deps.history, address, since)).flatMap((entry) => {
      const intentId = intentIdOfMemo(entry.memo);
      return intentId === null ? [] : [{ entry, intentId }];
    });
    const known = await deps.signatures.known(ours.map(({ entry }) => entry.signature));
    for (const one of ours) {
      seen.add(one.entry.signature);
      if (!known.has(one.entry.signature)) claimed.set(one.entry.signature, one);
    }
    if (index % 100 === 99) deps.onProgress(`${index + 1} of ${wallets.length} wallets walked`);
  }
  return { wallets: wallets.length, seen: seen.size, claimed: [...claimed.values()] };
}

type Search = {
  readonly wallets: number;
  readonly seen: number;
  readonly claimed: readonly Claimed[];
};

/** Of these signatures those that no attempt holds and that landed. */
async function askByName(deps: SearchDeps, named: readonly Named[], mismatches: Mismatch[]): Promise<Search> {
  const known = await deps.signatures.known(named.map(({ signature }) => signature));
  const claimed: Claimed[] = [];
  for (const { signature, intentId } of named) {
    if (known.has(signature)) continue;
    const landed = await deps.chain.landed(signature);
    if (landed !== null) {
      const { slot, err, blockTime } = landed;
      const at = blockTime === null ? null : blockTime * 1_000;
      claimed.push({ entry: { signature, slot, err, memo: null, at }, intentId });
    } else if (await isSeenAnywhere(deps, signature)) {
      mismatches.push({
        rule: 'unserved',
        subject: signature,
        detail: `the journal names it for intent ${intentId} and it landed; no endpoint serves it`,
      });
    }
  }
  return { wallets: 0, seen: named.length, claimed };
}

/** Whether one of the endpoints knows the signature, though none serves its record. */
async function isSeenAnywhere({ chain }: ReconcileDeps, signature: string): Promise<boolean> {
  const asked = new Set<string>();
  for (let round = 0; ; round += 1) {
    const { endpoint, endpoints, status } = await chain.testimony(signature, round);
    if (status !== null) return true;
    asked.add(endpoint);
    if (asked.size >= endpoints || round > 2 * endpoints) return false;
  }
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

/** The transaction with its paying wallet, or null when it is not ours. */
async function unknownLanding(
  deps: ReconcileDeps,
  { entry, intentId }: Claimed,
  mismatches: Mismatch[],
): Promise<Landing | null> {
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
  // A stranger's memo may look like ours; a stranger does not pay our fee. A wallet whose key is gone must be reported.
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

/** A transaction whose request is not known yet. */
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
