import { type Address, known, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { dlmmPairs } from '../src/meteora-dlmm/derive.ts';
import { whirlpools } from '../src/orca-whirlpool/derive.ts';
import { pumpSwapPools } from '../src/pump-swap/derive.ts';
import { clmmPools } from '../src/raydium-clmm/derive.ts';
import { cpmmPools } from '../src/raydium-cpmm/derive.ts';
import { launchPools } from '../src/raydium-launchlab/derive.ts';
import type { DerivedPools } from '../src/shared/derived-pools.ts';

const USDC = known('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** Pools of SOL and USDC on mainnet, as explorers name them. */
const KNOWN: readonly (readonly [string, DerivedPools, 'near' | 'far', readonly string[]])[] = [
  [
    'raydium-clmm',
    clmmPools,
    'near',
    ['3ucNos4NbumPLZNWztqGHNFFgkHeRMBQAVemeeomsUxv', '8sLbNZoA1cfnvMJLPfp98ZLAnFSYCFApfJKMbiXNLwxj'],
  ],
  ['raydium-cpmm', cpmmPools, 'near', ['7JuwJuNU88gurFnyWeiyGKbFmExMWcmRZntn9imEzdny']],
  [
    'orca-whirlpool',
    whirlpools,
    'near',
    ['Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE', 'HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ'],
  ],
  [
    'meteora-dlmm',
    dlmmPairs,
    'far',
    [
      '5rCf1DM8LjKTw4YqhnoLcngyZYeNnQqztScTogYHAS6',
      'BGm1tav58oGcsQJehL9WXBFXF7D27vZsKefj4xJKD5Y',
      'HTvjzsfX3yU6BUodCjZ5vZkUrAxMDTrBs3CJaq43ashR',
    ],
  ],
];

describe('pools by their seeds', () => {
  it.each(KNOWN)('of %s are those of mainnet, whichever mint comes first', (_, derived, form, pools) => {
    for (const found of [derived[form](WSOL_MINT, USDC), derived[form](USDC, WSOL_MINT)])
      expect(found).toEqual(expect.arrayContaining([...pools]));
  });

  it('of an old pair of Meteora DLMM are found by its bin step and base factor, 250 and 4,000', () => {
    const token = known('Df6yfrKC8kZE3KNkrHERKzAetSxbrWeniQfyJY4Jpump');
    expect(dlmmPairs.far(WSOL_MINT, token)).toContain('EtAdVRLFH22rjWh3mcUasKFF27WtHhsaCvK27tPFFWig');
  });

  it('are few on the path of a quote', () => {
    const all = [clmmPools, cpmmPools, whirlpools, pumpSwapPools, launchPools, dlmmPairs];
    const near = all.flatMap((one): readonly Address[] => one.near(WSOL_MINT, USDC));
    expect(new Set(near).size).toBe(near.length);
    expect(near.length).toBeLessThanOrEqual(60);
  });
});
