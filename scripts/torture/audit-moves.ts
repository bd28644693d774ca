import { createRpcChain } from '../../src/platform/chain/rpc-chain.ts';
import type { LandedTransaction } from '../../src/platform/ports/chain.ts';
import type { Asker } from './ask.ts';
import { insist } from './insist.ts';
import { judgeMoves, type Move, type MoveProblem } from './judge-moves.ts';
import type { PlacedOrders } from './order-people.ts';
import type { Person } from './people.ts';
import type { TortureWorld } from './world.ts';
import { THIEF } from './writer.ts';

export type MoveFindings = { readonly judged: number; readonly problems: readonly MoveProblem[] };

/**
 * Judges each transaction in a block that moved something of a person, read from the chain and compared with what people confirmed. During a storm,
 * too: a node that fails is asked again. Each record is read once, so that a last word needs an audit of its own: a block may have been of a dead fork.
 */
export function createMoveAudit(
  world: Pick<TortureWorld, 'chain' | 'faults' | 'query'>,
  of: {
    readonly asker: Pick<Asker, 'agreed'>;
    readonly people: readonly Person[];
    readonly placed: PlacedOrders;
  },
): () => Promise<MoveFindings> {
  const chain = createRpcChain({ urls: [world.chain.rpcUrl] });
  const known = new Map<string, LandedTransaction>();
  /** Null for a transaction that is in no lasting block. */
  const recordOf = async (signature: string): Promise<LandedTransaction | null> => {
    const record = known.get(signature) ?? (await insist(() => chain.landed(signature)));
    if (record !== null) known.set(signature, record);
    return record;
  };
  return () => auditMoves(world, of, recordOf);
}

async function auditMoves(
  world: Pick<TortureWorld, 'faults' | 'query'>,
  of: Parameters<typeof createMoveAudit>[1],
  recordOf: (signature: string) => Promise<LandedTransaction | null>,
): Promise<MoveFindings> {
  const moves: Move[] = [];
  for (const [memo, signatures] of world.faults.landed())
    for (const signature of signatures) {
      const record = await recordOf(signature);
      if (record !== null && record.err === null)
        moves.push({ intentId: memo.replace(/^\[\d+\] /, ''), record });
    }
  // A fire is of a group that was placed in this run; the second half of a creation is its own person's.
  const groups = new Set(of.placed.groups);
  const rows = await world.query(
    `SELECT i.id, o.group_id AS "groupId", i.kind FROM intents i
     LEFT JOIN orders o ON o.id = i.params->'order'->>'id' WHERE i.params ? 'order' OR i.kind = 'create-token'`,
  );
  // Legs of a group have one of their own.
  const legs = new Set(
    (await world.query(`SELECT id FROM order_groups WHERE parent_intent_id IS NOT NULL`)).map(({ id }) => id),
  );
  const follow = new Set(
    rows.flatMap(({ id, groupId, kind }) =>
      kind === 'create-token' || groups.has(groupId ?? '') || legs.has(groupId) ? [id] : [],
    ),
  );
  const problems = judgeMoves({
    moves,
    confirmed: (id) => of.asker.agreed.get(id) ?? null,
    follows: (id) => follow.has(id),
    wallets: new Set(of.people.map(({ wallet }) => wallet.address)),
    thief: THIEF,
  });
  return { judged: moves.length, problems };
}
