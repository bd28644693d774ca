import type { Address } from '@tradepost/solana';
import { createdMintOf } from '../../../engine/intents/rules/created-mint.ts';
import { landedReceipt } from '../../../engine/intents/rules/receipt.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { classify } from '../rules/classify.ts';
import { eventsOfReceipt } from '../rules/from-receipt.ts';
import { isKnownMint } from '../rules/known-mint.ts';
import { readMovement } from '../rules/read-movement.ts';
import type { PositionScan, RecordedEvent } from '../store/position-store-port.ts';
import type { ReconcileDeps } from './reconcile-wallet.ts';
import { recordEvents } from './record-events.ts';
import { ownRecipient } from './record-trade.ts';

/** Transactions that may still be read in this look. */
export type ScanBudget = { left: number };

const PAGE = 100;

type Owned = Wallet & { readonly userId: string };
type Place = { readonly account: Address; readonly mint: Address };

/**
 * Reads the final transactions of one token account that are not known yet, newest first, and records their events. `complete`: nothing is
 * left to read, and nothing of the service's own is under way there. Where the budget ends first, the next run continues from there. Where
 * a node's list ends before the place that is known, part of it is missing, and another run asks again.
 */
export async function readAccountHistory(
  deps: ReconcileDeps,
  wallet: Owned,
  place: Place,
  budget: ScanBudget,
): Promise<{ readonly recorded: number; readonly complete: boolean }> {
  const known = (await deps.db.positions.scan(place.account)) ?? {
    account: place.account,
    walletId: wallet.id,
    done: null,
    under: null,
  };
  const { signatures, end } = await unread(deps, known, budget);
  let recorded = 0;
  // Oldest first: whether a mint is known depends on earlier transactions.
  for (const signature of signatures.toReversed()) {
    const events = await eventsOf(deps, wallet, place, signature);
    // Under way, or not served yet: the whole stretch is read again the next time.
    if (events === null) return { recorded, complete: false };
    if (events.length > 0) recorded += await deps.db.transact((stores) => recordEvents(stores, events));
  }
  if (end === 'missing') return { recorded, complete: false };
  const newest = known.under?.newest ?? signatures[0] ?? known.done;
  const before = signatures.at(-1) ?? known.under?.before ?? null;
  const under = newest === null || before === null ? null : { newest, before };
  await deps.db.positions.saveScan(
    end === 'reached' ? { ...known, done: newest, under: null } : { ...known, under },
  );
  // Transactions later than the stretch that just ended are not read yet.
  return { recorded, complete: end === 'reached' && known.under === null };
}

/** Signatures that are not known, newest first, as many as the budget lets through, and how their list ended. */
async function unread(
  { history }: ReconcileDeps,
  scan: PositionScan,
  budget: ScanBudget,
): Promise<{ readonly signatures: readonly string[]; readonly end: 'reached' | 'missing' | 'budget' }> {
  const signatures: string[] = [];
  let before = scan.under?.before ?? null;
  while (budget.left > 0) {
    const limit = Math.min(PAGE, budget.left);
    const page = await history.signatures(scan.account, { before, limit });
    for (const { signature } of page) {
      if (signature === scan.done) return { signatures, end: 'reached' };
      signatures.push(signature);
    }
    budget.left -= page.length;
    if (page.length < limit) return { signatures, end: scan.done === null ? 'reached' : 'missing' };
    before = page.at(-1)?.signature ?? null;
  }
  return { signatures, end: 'budget' };
}

/** The events of a transaction. None if it is recorded already or did nothing; null when that cannot be said yet. */
async function eventsOf(
  deps: ReconcileDeps,
  wallet: Owned,
  { mint }: Place,
  signature: string,
): Promise<readonly RecordedEvent[] | null> {
  const { db, chain } = deps;
  if ((await db.positions.knownSignatures(wallet.id, mint, [signature])).size > 0) return [];
  const own = await db.positions.intentOf(signature);
  // The commit that makes it final writes its event.
  if (own?.open === true) return null;
  const landed = await chain.landed(signature);
  if (landed === null) return null;
  const ours = own === null ? null : await ownEvents(deps, wallet, own.intentId, landed);
  if (ours !== null) return ours;
  const value = await factsOf(deps, wallet, mint, landed);
  const event = classify(readMovement(landed, value));
  const free = { intentId: null, networkFeeLamports: 0n, platformFeeLamports: 0n, rentLamports: 0n };
  return event === null ? [] : [{ ...event, ...free }];
}

/** Facts about a stranger's transaction; units that came are priced only where the price counts. */
async function factsOf(
  deps: ReconcileDeps,
  wallet: Owned,
  mint: Address,
  landed: LandedTransaction,
): Promise<Parameters<typeof readMovement>[1]> {
  const [wallets, events] = await Promise.all([
    deps.db.wallets.listByUser(wallet.userId, { deleted: true }),
    deps.db.positions.events([wallet.id], [mint]),
  ]);
  const knownMint = isKnownMint(events.filter(({ slot }) => slot <= landed.slot));
  const facts = {
    walletId: wallet.id,
    wallet: wallet.address,
    mint,
    ownWallets: wallets.filter(({ id }) => id !== wallet.id).map(({ address }) => address),
    knownMint,
    valueLamports: null,
    now: deps.clock.now(),
  };
  const movement = readMovement(landed, facts);
  const counts = movement.units > 0n && (knownMint || movement.signedByWallet);
  if (!counts || movement.counterparty === 'own-wallet') return facts;
  return { ...facts, valueLamports: await deps.worthOf(wallet.address, mint, movement.units) };
}

/** The service's own transaction, seen from whichever of the person's wallets: from before there were events, or without a receipt. */
async function ownEvents(
  { db, treasury, clock }: ReconcileDeps,
  wallet: Owned,
  intentId: string,
  landed: LandedTransaction,
): Promise<readonly RecordedEvent[] | null> {
  const whole = await db.intents.whole(intentId);
  const attempt = whole?.attempts.find((one) => one.signature === landed.signature);
  // Units that another person sent from here come from outside.
  if (whole === null || attempt === undefined || whole.intent.userId !== wallet.userId) return null;
  const { intent, wallet: sender } = whole;
  const receipt = landedReceipt(landed, {
    wallet: sender.address,
    treasury: treasury.address,
    params: intent.params,
    createdMint: createdMintOf(intent.params, attempt.signedTransaction, treasury.address),
  });
  return eventsOfReceipt({
    intent,
    terms: attempt.terms,
    receipt,
    failed: landed.err !== null,
    final: true,
    now: clock.now(),
    ownRecipient: sender.id === wallet.id ? await ownRecipient(db, intent) : { walletId: wallet.id },
  });
}
