import { setTimeout as pause } from 'node:timers/promises';
import type { LocalChain } from '../chain.ts';
import { memoOf } from '../rpc/memo-of.ts';
import { decodeTransaction, type WireTransaction } from '../wire.ts';

/** Whether a committed attempt holds this signature. Rejects while the database cannot be asked. */
export type SignatureLookup = (signature: string) => Promise<boolean>;

export type Violation = {
  readonly rule: 'bytes-before-commit' | 'overlapping-signatures' | 'landed-twice';
  readonly memo: string;
  readonly signatures: readonly string[];
  readonly detail: string;
};

export type OracleReport = {
  readonly sends: number;
  readonly signatures: number;
  /** Signatures that were looked up, and those for which the database never answered. */
  readonly checked: number;
  readonly unchecked: number;
  readonly violations: readonly Violation[];
};

type Sighting = { readonly signature: string; readonly firstHeight: number; readonly lastHeight: number };

const LOOKUP_PATIENCE_MS = 30_000;

/**
 * Two witnesses at the wire, who know nothing of the product but the memo that names the intent. Write-ahead: a signature
 * seen here must already be in the database. Overlap: while one signature of an intent may still land, no second one may be
 * seen; and at most one ever lands without an error. `onSend` resolves when the first question is answered, so nothing that
 * happens later can make it true.
 */
export function createOracles(chain: LocalChain) {
  let lookup: SignatureLookup | null = null;
  const counts = { sends: 0, checked: 0, unchecked: 0 };
  const known = new Set<string>();
  const byMemo = new Map<string, Sighting[]>();
  const landedOk = new Map<string, string[]>();
  const violations: Violation[] = [];

  chain.listen({
    landed: (transaction) => {
      const memo = memoOf(decodeTransaction(transaction.bytes).message);
      if (memo === null || transaction.err !== null) return;
      const landed = [...(landedOk.get(memo) ?? []), transaction.signature];
      landedOk.set(memo, landed);
      if (landed.length > 1) {
        violations.push({
          rule: 'landed-twice',
          memo,
          signatures: landed,
          detail: `slot ${transaction.slot}`,
        });
      }
    },
  });

  function see(memo: string, transaction: WireTransaction): void {
    const hashSlot = chain.slots.liveHashSlot(transaction.message.blockhash);
    const height = chain.slots.heightOf(chain.slots.tip());
    const lastHeight = hashSlot === undefined ? height - 1 : chain.slots.heightOf(hashSlot) + 150;
    const earlier = byMemo.get(memo) ?? [];
    for (const other of earlier) {
      // One that is in a block with an error is used up: it cannot land again.
      const spent = chain.ledger.status(other.signature)?.err ?? null;
      if (spent !== null || other.lastHeight < height || lastHeight < height) continue;
      violations.push({
        rule: 'overlapping-signatures',
        memo,
        signatures: [other.signature, transaction.signature],
        detail: `the first lands until height ${other.lastHeight}, the second was seen at ${height}`,
      });
    }
    byMemo.set(memo, [...earlier, { signature: transaction.signature, firstHeight: height, lastHeight }]);
  }

  async function isCommitted(ask: SignatureLookup, signature: string): Promise<boolean | null> {
    const deadline = Date.now() + LOOKUP_PATIENCE_MS;
    for (;;) {
      try {
        return await ask(signature);
      } catch {
        if (Date.now() > deadline) return null;
        await pause(100);
      }
    }
  }

  return {
    watch(ask: SignatureLookup | null): void {
      lookup = ask;
    },
    async onSend(transaction: WireTransaction): Promise<void> {
      counts.sends += 1;
      const memo = memoOf(transaction.message);
      const { signature } = transaction;
      if (memo === null || known.has(signature)) return;
      known.add(signature);
      see(memo, transaction);
      if (lookup === null) return;
      const found = await isCommitted(lookup, signature);
      if (found === null) counts.unchecked += 1;
      else counts.checked += 1;
      if (found === false) {
        violations.push({
          rule: 'bytes-before-commit',
          memo,
          signatures: [signature],
          detail: 'no such row',
        });
      }
    },
    report: (): OracleReport => ({ ...counts, signatures: known.size, violations: [...violations] }),
    /** Signatures that landed without an error, by memo. */
    landed: (): ReadonlyMap<string, readonly string[]> => landedOk,
  };
}

/** Asks `GET url?signature=…`: 200 = committed, 404 = not; anything else is no answer. */
export function httpLookup(url: string): SignatureLookup {
  return async (signature) => {
    const target = new URL(url);
    target.searchParams.set('signature', signature);
    const response = await fetch(target);
    await response.arrayBuffer();
    if (response.status === 200) return true;
    if (response.status === 404) return false;
    throw new Error(`the look-up answered ${response.status}`);
  };
}
