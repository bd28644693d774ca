import { FIRST_SLOT } from '../slots.ts';
import type { Methods } from './method.ts';
import { API_VERSION, configParam, viewOf, withContext } from './params.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;
/** LiteSVM starts with a million SOL of its own; ours is the sum that genesis funded. */
const GENESIS_SOL = 401_000_000n;
const FEATURE_SET = 3_271_415_109;

export const clusterMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': FEATURE_SET }),
  getGenesisHash: (_, { genesisHash }) => genesisHash,
  // The certificate with which Alpenglow began: a cluster has one where a confirmed block is final.
  getAgGenesisCert: (_, { chain }) => (chain.slots.calendar.finalizedLag === 1 ? { slot: FIRST_SLOT } : null),
  getIdentity: (_, { identity }) => ({ identity }),
  getClusterNodes: () => [],
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
  getSlotLeader: (_, { identity }) => identity,
  getSlotLeaders: (params, { identity }) => {
    const count = typeof params[1] === 'number' ? params[1] : 1;
    return Array.from({ length: Math.min(Math.max(count, 0), 5000) }, () => identity);
  },
  getSupply: (params, { chain }) => {
    const total = GENESIS_SOL * LAMPORTS_PER_SOL;
    const view = viewOf(chain, configParam(params, 0));
    return withContext(view.slot, {
      total,
      circulating: total,
      nonCirculating: 0,
      nonCirculatingAccounts: [],
    });
  },
};
