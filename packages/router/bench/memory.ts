import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRouter } from '../src/router.ts';
import { generateMarket } from './generate.ts';
import type { SnapshotPool } from './snapshot.ts';
import { routablePool } from './snapshot-pool.ts';

/** Bytes that one pool of a kind takes in the router: its curves and its place in the graph. Its state belongs to the caller. */
export function bytesPerPool(kind: SnapshotPool['type'], seed: number): number {
  const pools = generateMarket({ seed, pools: 4_000, orders: 1 }).pools.filter(({ type }) => type === kind);
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  // Buffers are given back only in a collection after the one that found them dead.
  const collect = (): void => {
    for (let round = 0; round < 3; round++) gc();
  };
  const routable = pools.map(routablePool);
  collect();
  const before = kept();
  const router = createRouter(routable);
  collect();
  const bytes = (kept() - before) / routable.length;
  // Used once more, so that it is not collected before it is measured.
  router.remove('');
  return bytes;
}

function kept(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
