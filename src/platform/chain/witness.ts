import { forAll } from '../caller-limit.ts';
import type { BlockhashTaker, ChainWitness, WitnessProbe } from '../ports/chain-witness.ts';
import type { NetworkPin } from '../ports/network-pin.ts';
import { ranked } from './call-turns.ts';
import { type Node, nodesOf, sameNetwork, unreachable } from './nodes.ts';
import { readHeight, readSlot, readStatusAt, readValidity } from './wire-answers.ts';

/** A height may be this old: blocks that came since are counted for in `DIES_AFTER_BLOCKS`. */
const MOST_AGE_MS = 20_000;
/** Asked again in the background from this age on, so that no signature waits for a node. */
const FRESH_MS = 4_000;

type Newest = { readonly height: bigint; readonly slot: bigint; readonly at: number };

/**
 * The signer's own look at the chain, without web3.js. Nodes behind one host are one witness. A node that names another network
 * than `network` remembers is not heard: there every signature of this signer is unknown, and would count as dead. Without
 * `network` the first that answers names it, until the process ends. A signature waits for each call, so all go with the first rank.
 */
export function createWitness(
  urls: readonly string[],
  {
    network = null,
    now = () => performance.now(),
  }: { readonly network?: NetworkPin | null; readonly now?: () => number } = {},
): ChainWitness {
  const nodes = nodesOf(urls);
  const assertSame = sameNetwork(now, network);
  let newest: Newest | null = null;
  let asking: Promise<Newest> | null = null;

  const ask = async (): Promise<Newest> => {
    const at = now();
    const answers = await Promise.allSettled(
      nodes.map(async (node) => {
        await assertSame(node);
        return readHeight(await node.call('getEpochInfo', [{ commitment: 'processed' }]));
      }),
    );
    const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const [first, ...others] = told;
    if (first === undefined) throw unreachable(nodes, answers, 'the signer');
    const highest = others.reduce((best, one) => (one.height > best.height ? one : best), first);
    // The lowest slot: a history that reaches back to it reaches back to the signature, whichever node is asked.
    const slot = told.reduce((lowest, one) => (one.slot < lowest ? one.slot : lowest), first.slot);
    newest = { height: highest.height, slot, at };
    return newest;
  };
  const refresh = (): Promise<Newest> => {
    asking ??= forAll(() => ranked('person', ask)).finally(() => {
      asking = null;
    });
    return asking;
  };

  return {
    newest: async () => {
      const age = newest === null ? Number.POSITIVE_INFINITY : now() - newest.at;
      if (newest === null || age > MOST_AGE_MS) return refresh();
      if (age > FRESH_MS) refresh().catch(() => undefined);
      return newest;
    },
    probe: async (signature, round, blockhash = null) => {
      const node = nodes[round % nodes.length];
      if (node === undefined) throw new RangeError(`round ${round} is not a natural number`);
      try {
        return await ranked('person', async () => {
          await assertSame(node);
          return probeAt(node, nodes.length, { signature, blockhash });
        });
      } catch (error) {
        throw unreachable([node], error, 'the signer');
      }
    },
    takers: (blockhash) => ranked('person', () => takersAmong(nodes, assertSame, blockhash)),
  };
}

async function takersAmong(
  nodes: readonly Node[],
  assertSame: (node: Node) => Promise<void>,
  blockhash: string,
): Promise<readonly BlockhashTaker[]> {
  const answers = await Promise.allSettled(
    nodes.map(async (node) => {
      await assertSame(node);
      const { slot, isValid } = await validity(node, blockhash, 'processed');
      return isValid ? [{ endpoint: node.host, slot }] : [];
    }),
  );
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

async function validity({ call }: Node, blockhash: string, commitment: 'processed' | 'finalized') {
  return readValidity(await call('isBlockhashValid', [blockhash, { commitment }]));
}

/** A node that does not serve the question says nothing of the blockhash. */
async function goneAt(node: Node, blockhash: string | null): Promise<bigint | null> {
  if (blockhash === null) return null;
  const told = await validity(node, blockhash, 'finalized').catch(() => null);
  return told === null || told.isValid ? null : told.slot;
}

/** The order is the proof: a status that was asked for before height and blockhash could have been made before them. */
async function probeAt(
  node: Node,
  endpoints: number,
  { signature, blockhash }: { readonly signature: string; readonly blockhash: string | null },
): Promise<WitnessProbe> {
  const { host, call } = node;
  const gone = await goneAt(node, blockhash);
  const { height, slot } = readHeight(await call('getEpochInfo', [{ commitment: 'finalized' }]));
  const options = { searchTransactionHistory: true };
  const found = readStatusAt(await call('getSignatureStatuses', [[signature], options]));
  return {
    endpoint: host,
    endpoints,
    finalizedHeight: height,
    finalizedSlot: slot,
    status: found.status,
    statusSlot: found.slot,
    firstAvailableBlock: readSlot(await call('getFirstAvailableBlock', [])),
    goneAt: gone,
  };
}
