import type { BlockhashLooks } from '../ports/blockhash-looks.ts';
import { nodesOf, sameNetwork, unreachable } from './nodes.ts';
import { readSlot, readValidity } from './wire-answers.ts';

/** `BlockhashLooks` over Solana JSON-RPC. Nodes behind one host are one; a node of another network is not heard. */
export function createBlockhashLooks(
  urls: readonly string[],
  now: () => number = () => performance.now(),
): BlockhashLooks {
  const nodes = nodesOf(urls);
  const assertSame = sameNetwork(now);
  return {
    known: async (blockhash) => {
      const answers = await Promise.allSettled(
        nodes.map(async (node) => {
          await assertSame(node);
          return readValidity(await node.call('isBlockhashValid', [blockhash, { commitment: 'processed' }]));
        }),
      );
      const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const [first] = told;
      if (first === undefined) throw unreachable(nodes, answers);
      const knowing = told.find(({ isValid }) => isValid);
      return { isKnown: knowing !== undefined, slot: (knowing ?? first).slot };
    },
    height: async (round, minSlot) => {
      const node = nodes[round % nodes.length];
      if (node === undefined) throw new RangeError(`round ${round} is not a natural number`);
      try {
        await assertSame(node);
        const asked = { commitment: 'processed', minContextSlot: Number(minSlot) };
        const height = readSlot(await node.call('getBlockHeight', [asked]));
        return { endpoint: node.host, endpoints: nodes.length, height };
      } catch (error) {
        throw unreachable([node], error);
      }
    },
  };
}
