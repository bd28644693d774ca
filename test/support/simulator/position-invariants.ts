import type { Address } from '@tradepost/solana';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Landing } from './cluster.ts';

type Sums = { units: bigint; flow: bigint };

/**
 * Positions against the blocks, by arithmetic of its own. Of every ended intent: each landed transaction has the one event that
 * it was and no other has any; and what all of them did to the wallet's units and lamports, with what confirmed attempts did, is
 * what its positions say, to the lamport. Only attempts that are confirmed have pending events. Says the fault.
 */
export async function checkPositions(
  db: Database,
  ids: Iterable<string>,
  landed: ReadonlyMap<string, readonly Landing[]>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const sums = new Map<string, Sums>();
  const mine = new Set(ids);
  for (const id of mine) {
    const intent = await db.intents.find(id);
    if (intent === null || intent.userId === null) continue;
    wrong.push(...(await wronglyPending(db, intent)));
    const wallet = await db.wallets.find(intent.walletId);
    if (wallet === null) continue;
    const events = (await db.positions.events([wallet.id])).filter(({ intentId }) => intentId === id);
    const landings = landed.get(id) ?? [];
    for (const { signature, kind } of events) {
      if (!landings.some((one) => one.signature === signature))
        wrong.push(`${id}: a position counts a ${kind} of ${signature}, which is in no block`);
    }
    for (const landing of landings) {
      const said = events.filter(({ signature }) => signature === landing.signature);
      // Of an open intent a first attempt may have failed, and is recorded.
      const problem = isOpen(intent.status) ? null : judge(intent, landing, wallet.address, said);
      if (problem !== null) wrong.push(`${id} (${intent.kind}) ${landing.signature.slice(0, 8)}: ${problem}`);
      if (said.length > 0 && isTrade(intent)) add(sums, intent, landing, wallet.address);
    }
  }
  for (const [key, { units, flow }] of sums) {
    const [userId = '', walletId = '', mint = ''] = key.split('/');
    const { positions } = await foldPositions(db, userId);
    const position = positions.find((one) => one.walletId === walletId && one.mint === mint);
    const pending = pendingSums(
      (await db.positions.pending([walletId])).filter((event) => event.mint === mint),
      mine,
    );
    const folded = {
      units: (position?.units ?? 0n) - pending.units,
      flow: (position?.realized ?? 0n) - (position?.cost ?? 0n) - pending.flow,
    };
    if (folded.units !== units || folded.flow !== flow) {
      wrong.push(
        `the position of ${walletId} has ${folded.units} units and ${folded.flow} lamports, the blocks ${units} and ${flow}`,
      );
    }
  }
  return wrong;
}

/** What of this intent counts as pending, though its attempt is not confirmed, or its transaction is recorded already. */
async function wronglyPending(db: Database, { id, walletId }: Intent): Promise<readonly string[]> {
  const attempts = await db.intents.attempts(id);
  const recorded = await db.positions.events([walletId]);
  const pending = (await db.positions.pending([walletId])).filter(({ intentId }) => intentId === id);
  return pending.flatMap(({ signature, kind }) => {
    const status = attempts.find((one) => one.signature === signature)?.status;
    if (status !== 'CONFIRMED') return [`${id}: a ${kind} is pending, and its attempt is ${status}`];
    const twice = recorded.some((event) => event.signature === signature && event.kind === kind);
    return twice ? [`${id}: a ${kind} is pending and recorded`] : [];
  });
}

/** What trades that are confirmed and not final did, counted without a fold. */
function pendingSums(events: readonly RecordedEvent[], ids: ReadonlySet<string>): Sums {
  const sums: Sums = { units: 0n, flow: 0n };
  for (const event of events) {
    if (event.intentId === null || !ids.has(event.intentId)) continue;
    if (event.kind !== 'buy' && event.kind !== 'sell') continue;
    sums.units += event.kind === 'buy' ? event.units : -event.units;
    sums.flow += event.flowLamports;
  }
  return sums;
}

const isTrade = ({ kind }: Pick<Intent, 'kind'>): boolean => kind === 'buy' || kind === 'sell';
const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

function changeOf({ changes, tokens }: Landing, wallet: Address): Sums {
  const own = changes.find(({ address }) => address === wallet);
  return {
    units: tokens
      .filter(({ owner }) => owner === wallet)
      .reduce((sum, { before, after }) => sum + after - before, 0n),
    flow: own === undefined ? 0n : own.after - own.before,
  };
}

/** What the events of a landed transaction get wrong; null when they are right. */
function judge(
  intent: Intent,
  landing: Landing,
  wallet: Address,
  said: readonly RecordedEvent[],
): string | null {
  const { units, flow } = changeOf(landing, wallet);
  if (landing.err !== null) {
    // Nobody may have served it: what it cost is found by no later look, and counted in no position.
    if (said.length === 0) return null;
    const [event] = said;
    if (said.length > 1 || event?.kind !== 'failed') return `it failed, and is ${kindsOf(said)}`;
    return event.feeLamports === -flow ? null : `it cost ${-flow}, and is told as ${event.feeLamports}`;
  }
  if (units === 0n) return said.length === 0 ? null : `it moved no units, and is ${kindsOf(said)}`;
  if (said.length === 0) {
    // Without a receipt the next comparison with the chain finds it.
    return intent.outcome?.receipt === undefined || intent.outcome.receipt === null
      ? null
      : 'its receipt is known, and no position knows of it';
  }
  const [event] = said;
  if (event === undefined || said.length > 1) return `it happened once, and is ${kindsOf(said)}`;
  if (event.kind !== wantedKind(intent)) return `it is told as ${event.kind}`;
  if ('units' in event && event.units !== sizeOf(units))
    return `it moved ${units} units, and is told as ${event.units}`;
  return 'flowLamports' in event && event.flowLamports !== flow
    ? `it moved ${flow} lamports, and is told as ${event.flowLamports}`
    : null;
}

const kindsOf = (events: readonly RecordedEvent[]): string => events.map(({ kind }) => kind).join(', ');

function wantedKind({ kind }: Intent): RecordedEvent['kind'] {
  if (kind === 'withdraw-token') return 'withdrawn';
  if (kind === 'create-token' || kind === 'launch') return 'creation';
  return kind === 'sell' ? 'sell' : 'buy';
}

function add(sums: Map<string, Sums>, intent: Intent, landing: Landing, wallet: Address): void {
  if (!('mint' in intent.params)) return;
  const key = `${intent.userId}/${intent.walletId}/${intent.params.mint}`;
  const known = sums.get(key) ?? { units: 0n, flow: 0n };
  const change = changeOf(landing, wallet);
  sums.set(key, { units: known.units + change.units, flow: known.flow + change.flow });
}
