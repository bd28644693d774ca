import { address } from '../../src/core/address/address.ts';
import { createAuditStore } from '../../src/engine/audit/store/audit-store.ts';
import { createSignatureBooks } from '../../src/engine/signing/store/signature-books.ts';
import { audit } from '../../src/modules/operations/use/audit.ts';
import { auditSignatures } from '../../src/modules/operations/use/audit-signatures.ts';
import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { Chain } from '../../src/platform/ports/chain.ts';
import type { composeProcess } from './compose.ts';
import type { TortureWorld } from './world.ts';

type Process = Awaited<ReturnType<typeof composeProcess>>;

export type Audit = {
  readonly intents: number;
  readonly byEnd: Readonly<Record<string, number>>;
  /** Intents that more than one transaction carried out, and ends that the blocks contradict. */
  readonly doubleEffects: number;
  readonly contradictions: readonly string[];
  /** Confirmed to a person and not in the database any more. */
  readonly lost: number;
  readonly stuck: readonly string[];
  readonly deadAttempts: number;
  readonly ledgerProblems: readonly string[];
  /** The scope of the operator's own audit: everything booked with the chain, in both directions. */
  readonly audited: { readonly transfers: number; readonly compared: number; readonly walked: number };
};

/** The database against the blocks: every end must match the chain, once. */
export async function auditTorture(
  world: TortureWorld,
  client: Process,
  { confirmed, settledAt }: { readonly confirmed: readonly string[]; readonly settledAt: number },
): Promise<Audit> {
  const landed = new Map(
    [...world.faults.landed()].map(([memo, list]) => [memo.replace(/^\[\d+\] /, ''), list]),
  );
  // A payout that the recurring job made a moment ago has had no time to end.
  const rows = await world.query(
    `SELECT id, kind, status, (created_at < to_timestamp(${settledAt} / 1000.0))::text AS old FROM intents`,
  );
  const known = new Set(rows.map((row) => row['id'] ?? ''));
  const byEnd: Record<string, number> = {};
  const contradictions: string[] = [];
  const stuck: string[] = [];
  let doubleEffects = 0;
  for (const { id = '', kind = '', status = '', old = '' } of rows) {
    const end = `${kind} ${status}`;
    byEnd[end] = (byEnd[end] ?? 0) + 1;
    const times = landed.get(id)?.length ?? 0;
    if (times > 1) doubleEffects += 1;
    const isOpen = status === 'CREATED' || status === 'ACTIVE';
    if (isOpen && old === 'true') stuck.push(`${id} ${end}`);
    else if (!isOpen && status !== 'NEEDS_REVIEW' && times !== (status === 'SUCCEEDED' ? 1 : 0)) {
      contradictions.push(`${id} ${end}, landed ${times} times`);
    }
  }
  for (const memo of landed.keys()) {
    if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(memo) && !known.has(memo))
      contradictions.push(`${memo} landed and is unknown`);
  }
  const urls = [world.chain.rpcUrl];
  const chain = createRpcChain({ urls });
  const books = await audit({
    books: createAuditStore(client.query),
    chain: {
      landed: (signature) => chain.landed(signature),
      treasury: client.treasury.address,
    },
  });
  const signed = await auditSignatures(
    {
      signatures: createSignatureBooks(client.query),
      chain,
      history: createRpcHistory({ urls }),
      clock: systemClock(),
    },
    { whole: true },
  );
  const [dead] = await world.query(`SELECT count(*)::text AS n FROM attempts WHERE status = 'DEAD'`);
  return {
    intents: rows.length,
    byEnd,
    doubleEffects,
    contradictions,
    lost: confirmed.filter((id) => !known.has(id)).length,
    stuck,
    deadAttempts: Number(dead?.['n'] ?? 0),
    ledgerProblems: [
      ...(await ledgerProblems(world)),
      ...(await tokenProblems(world, chain)),
      ...[...books.mismatches, ...signed.mismatches].map(
        ({ rule, subject, detail }) => `audit ${rule} ${subject}: ${detail}`,
      ),
    ],
    audited: { transfers: books.transfers, compared: books.compared, walked: signed.listed },
  };
}

/** Tokens written down and powers given up, against the intents and against the mints themselves. */
async function tokenProblems(
  world: TortureWorld,
  chain: Pick<Chain, 'accounts'>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const odd = await world.query(`SELECT i.id FROM intents i LEFT JOIN created_tokens t ON t.intent_id = i.id
    WHERE i.kind IN ('create-token', 'launch') AND (i.status = 'SUCCEEDED') <> (t.mint IS NOT NULL)`);
  for (const { id } of odd) problems.push(`${id}: its end and its token disagree`);
  // An authority in an intent that waits for a person may have been given up on the chain without a booking.
  const tokens = await world.query(`SELECT mint, revocations::text FROM created_tokens WHERE mint NOT IN
    (SELECT params->>'mint' FROM intents WHERE kind = 'revoke-authority' AND status = 'NEEDS_REVIEW')`);
  const { accounts } = await chain.accounts(tokens.map(({ mint = '' }) => address(mint)));
  for (const [index, { mint = '', revocations = '' }] of tokens.entries()) {
    const data = accounts[index]?.data;
    if (data === undefined) problems.push(`${mint} is in the books and not on the chain`);
    else {
      const given = JSON.parse(revocations) as Readonly<Record<string, unknown>>;
      // Tags of a mint's two optional authorities, alike in both token programs.
      if ((data[0] === 0) !== 'mint' in given) problems.push(`${mint}: the mint authority is not as booked`);
      if ((data[46] === 0) !== 'freeze' in given)
        problems.push(`${mint}: the freeze authority is not as booked`);
    }
  }
  return problems;
}

async function ledgerProblems(world: TortureWorld): Promise<readonly string[]> {
  const problems: string[] = [];
  const [sum] = await world.query('SELECT coalesce(sum(amount), 0)::text AS total FROM ledger_entries');
  if (sum?.['total'] !== '0') problems.push(`entries sum to ${sum?.['total']}`);
  const [paid] = await world.query(`SELECT
      (SELECT coalesce(sum(lamports), 0)::text FROM rewards WHERE status = 'PAID') AS rewards,
      (SELECT count(*)::text FROM (SELECT signature FROM rewards GROUP BY signature HAVING count(*) > 1) twice) AS twice,
      (SELECT count(*)::text FROM rewards r JOIN intents i ON i.id = r.payout_intent_id
        WHERE (r.status = 'PAID') <> (i.status = 'SUCCEEDED')) AS odd`);
  if (paid?.['twice'] !== '0') problems.push(`${paid?.['twice']} trades were rewarded twice`);
  if (paid?.['odd'] !== '0') problems.push(`${paid?.['odd']} rewards disagree with their payout`);
  return problems;
}
