import { tradeOf } from '../../../../src/engine/intents/kinds/rules.ts';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../../src/engine/intents/rules/machine.ts';
import type { Copy } from '../../../../src/modules/copying/rules/copy.ts';
import { copyOfKey } from '../../../../src/modules/copying/rules/copy-trade.ts';
import { SKIP_REASONS } from '../../../../src/modules/copying/rules/judge-copy.ts';
import type { LeaderTrade } from '../../../../src/modules/follows/rules/leader-trade.ts';
import { isFrozen } from '../../../../src/modules/guard/rules/freeze.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Landing } from '../cluster.ts';
import type { Timeline } from '../timeline.ts';

const LATE_MS = 15_000;
/** Skips that name a limit which the number broke. */
const ABOVE: ReadonlySet<string> = new Set(['late', 'trade-cap', 'day-cap', 'total-cap', 'dearer', 'crowd']);
const BELOW: ReadonlySet<string> = new Set(['leader-small', 'dust', 'liquidity', 'round-trip']);
const MOST_DECISIONS = 1_000;

type Copied = { readonly intent: Intent; readonly copyId: string; readonly signature: string };

/** What must be true of copies in every run. Knows leaders' trades and the blocks, and nothing of how copies are decided. */
export function createCopyInvariants({
  db,
  timeline,
  trades,
  landed,
  say,
}: {
  readonly db: Pick<Database, 'copies' | 'guards' | 'intents'>;
  readonly timeline: Timeline;
  readonly trades: ReadonlyMap<string, LeaderTrade>;
  readonly landed: () => ReadonlyMap<string, readonly Landing[]>;
  readonly say: (text: string) => void;
}) {
  async function judge({ intent, copyId, signature }: Copied): Promise<void> {
    const side = tradeOf(intent.params)?.side;
    const trade = trades.get(signature);
    const copy = await db.copies.find(copyId);
    if (trade === undefined || copy === null || trade.leader !== copy.leader || trade.side !== side)
      return say(`${intent.id} copies no trade of its leader`);
    if (side !== 'buy') return;
    const guard = await db.guards.find(copy.userId);
    if (isFrozen(guard, timeline.now()) && (guard.frozenAt ?? timeline.now()) < timeline.now())
      say(`${copyId} bought while its person was frozen`);
    // A pause of this very moment is committed behind the purchase.
    if (copy.status === 'ENDED') say(`${copyId} bought though it is over`);
  }

  const stands = (intent: Intent): boolean =>
    isOpen(intent.status) ||
    landed()
      .get(intent.id)
      ?.some(({ err }) => err === null) === true;

  return {
    onIntent(intent: Intent): void {
      const key = copyOfKey(intent.idemKey);
      if (key === null) return;
      const trade = trades.get(key.signature);
      const age = timeline.now() - (trade?.at ?? 0);
      if (trade?.side === 'buy' && age > LATE_MS) say(`${key.copyId} bought ${age} ms after its leader`);
      judge({ intent, ...key }).catch((error: unknown) => say(String(error)));
    },

    async checkBooks(copyIds: readonly string[], intents: readonly Intent[]): Promise<void> {
      for (const id of copyIds) {
        const copy = await db.copies.find(id);
        if (copy === null) say(`${id} is gone`);
        else await checkCopy(copy, intents);
      }
    },

    /** Decisions that are missing, and trades that are still under way though nothing hinders them. */
    async stuck(copyIds: readonly string[]): Promise<readonly string[]> {
      const found: string[] = [];
      for (const id of copyIds) {
        const copy = await db.copies.find(id);
        if (copy === null || copy.status === 'ENDED') continue;
        const rows = await db.copies.latest(id, MOST_DECISIONS);
        const reviewed = await mintsInReview(rows);
        for (const trade of trades.values()) {
          const isOwn = trade.leader === copy.leader && trade.at >= copy.since && !trade.takenBack;
          // A sale waits for the purchase whose units are not known, and that one waits for a person.
          if (trade.side === 'sell' && reviewed.has(trade.mint)) continue;
          if (isOwn && !rows.some(({ signature }) => signature === trade.signature))
            found.push(`${id} has not decided on ${trade.signature}`);
        }
        // The sales of a frozen person wait for that person.
        if (isFrozen(await db.guards.find(copy.userId), timeline.now())) continue;
        for (const { signature, status, intentId } of rows) {
          if (status !== 'OWED' && status !== 'SELLING' && status !== 'BUYING') continue;
          const waits = intentId !== null && (await db.intents.find(intentId))?.status === 'NEEDS_REVIEW';
          if (!waits) found.push(`${id} ${signature} is ${status}`);
        }
      }
      return found;
    },
  };

  /** Tokens of purchases that wait for a person's look. */
  async function mintsInReview(
    rows: Awaited<ReturnType<typeof db.copies.latest>>,
  ): Promise<ReadonlySet<string>> {
    const mints = new Set<string>();
    for (const { side, mint, intentId } of rows) {
      if (side !== 'buy' || intentId === null) continue;
      if ((await db.intents.find(intentId))?.status === 'NEEDS_REVIEW') mints.add(mint);
    }
    return mints;
  }

  async function checkCopy(copy: Copy, intents: readonly Intent[]): Promise<void> {
    const copied = intents.flatMap((intent): readonly Copied[] => {
      const key = copyOfKey(intent.idemKey);
      return key?.copyId === copy.id ? [{ intent, ...key }] : [];
    });
    // No row is forged here: a worker that keeps to the rules is refused nothing.
    if (copy.reason === 'mandate') say(`${copy.id} asked the signer for more than its mandate`);
    await checkSkips(copy);
    checkOnce(copy, copied);
    checkCaps(copy, copied);
    for (const mint of new Set([...trades.values()].map((trade) => trade.mint)))
      checkUnits(copy, mint, copied);
  }

  async function checkSkips(copy: Copy): Promise<void> {
    const rows = await db.copies.latest(copy.id, MOST_DECISIONS);
    for (const { signature, status, skip } of rows) {
      if (status !== 'SKIPPED') continue;
      const isKnown = skip !== null && SKIP_REASONS.includes(skip.reason);
      const { value, limit } = skip ?? { value: null, limit: null };
      const isBroken =
        value === null ||
        limit === null ||
        !(
          (ABOVE.has(skip?.reason ?? '') && value <= limit) ||
          (BELOW.has(skip?.reason ?? '') && value >= limit)
        );
      if (!isKnown || !isBroken)
        say(`${copy.id} skipped ${signature} without a reason: ${skip?.reason} ${value} ${limit}`);
    }
  }

  function checkOnce(copy: Copy, copied: readonly Copied[]): void {
    const seen = new Map<string, number>();
    for (const { intent, signature } of copied.filter(({ intent }) => stands(intent))) {
      const trade = tradeOf(intent.params);
      const key = `${signature} ${trade?.side} ${trade?.mint}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    for (const [key, count] of seen) if (count > 1) say(`${copy.id} copied ${key} ${count} times`);
  }

  function checkCaps(copy: Copy, copied: readonly Copied[]): void {
    const spent = copied
      .filter(({ intent }) => stands(intent))
      .map(({ intent }) => tradeOf(intent.params))
      .filter((trade) => trade?.side === 'buy')
      .map((trade) => trade?.terms.amountIn ?? 0n);
    const sum = spent.reduce((all, one) => all + one, 0n);
    const { tradeLamports, dayLamports, totalLamports } = copy.rules;
    for (const one of spent)
      if (one > tradeLamports) say(`${copy.id} spent ${one} of ${tradeLamports} at once`);
    // A run is shorter than a day.
    if (sum > dayLamports || sum > totalLamports)
      say(`${copy.id} spent ${sum} of ${dayLamports} a day and ${totalLamports} in all`);
  }

  /**
   * Sales of the copy against its purchases, by the blocks. Those of its exits are left out: between a sale and its finality an exit may
   * see too many units (decision 0292).
   */
  function checkUnits(copy: Copy, mint: string, copied: readonly Copied[]): void {
    const isLanded = ({ id }: Intent): boolean =>
      landed()
        .get(id)
        ?.some(({ err }) => err === null) === true;
    let [arrived, sold] = [0n, 0n];
    for (const { intent } of copied) {
      const trade = tradeOf(intent.params);
      if (trade?.mint !== mint) continue;
      if (trade.side === 'sell') sold += isLanded(intent) ? trade.terms.amountIn : 0n;
      // A purchase that was confirmed and whose fork died is sent again.
      else arrived += stands(intent) ? trade.terms.minOut : 0n;
    }
    if (sold > arrived) say(`${copy.id} sold ${sold} of ${arrived} units of ${mint}`);
  }
}
