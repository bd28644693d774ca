import { describe, expect, it } from 'vitest';
import type { SignerDeps } from '../../src/engine/signing/use/deps.ts';
import { signWithSeed } from '../../src/platform/vault/seed-signer.ts';
import { TEST_CERTIFIER, TEST_SEALS } from '../support/signer.ts';
import type { HostileCounts, HostileOptions } from '../support/simulator/hostile/hands.ts';
import { HOSTILE_RULES } from '../support/simulator/hostile/honest-signer.ts';
import { PLACES, placesOf } from '../support/simulator/hostile/places.ts';
import { seedNamed } from '../support/simulator/keys.ts';
import { hostileCase, modeOfSeed } from '../support/simulator/run-seeds.ts';
import type { SimResult } from '../support/simulator/sim-options.ts';
import { simulate } from '../support/simulator/simulate.ts';

/** CI plays few; `HOSTILE_SEEDS=500` plays many. */
const SEEDS = Number(process.env['HOSTILE_SEEDS'] ?? 12);
/** Seeds in which a planted fault must show. */
const FAULT_SEEDS = 120;
const played = (seed: number, hostile: HostileOptions): Promise<SimResult> =>
  simulate({ seed, mode: modeOfSeed(seed), ...hostileCase(hostile) });

/** Plays seeds until one breaks something; what they did in all. */
async function playedAll(hostile: HostileOptions) {
  let [untouched, fenced] = [0, 0];
  const done: HostileCounts[] = [];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const result = await played(seed, hostile);
    expect(result.violations, `seed ${seed}`).toEqual([]);
    untouched += result.hostile?.untouched ?? 0;
    fenced += Number(result.fenced);
    if (result.hostile !== null) done.push(result.hostile);
  }
  const writes = (act: keyof HostileCounts['writer']): number =>
    done.reduce((sum, { writer }) => sum + writer[act], 0);
  const lies = (what: 'asked' | 'signed'): number =>
    done.reduce((sum, one) => sum + Object.values(one.lies).reduce((of, lie) => of + lie[what], 0), 0);
  return { untouched, fenced, writes, lies };
}

/** A key that signs each message it gets. */
const BLIND_KEYS: SignerDeps['keys'] = {
  create: () => Promise.reject(new Error('no key is made here')),
  holds: async () => true,
  sign: async ({ wallet, message }) =>
    signWithSeed(seedNamed(wallet.id.replace(/^wallet-/, '')), message).signature,
};

const FAULTS: readonly (readonly [string, RegExp, HostileOptions])[] = [
  [
    'a key that reads no message',
    /signed: .*(brings|takes|calls|sends|pays another amount|names)/,
    { liar: true, fault: { deps: () => ({ keys: BLIND_KEYS }) } },
  ],
  [
    'a code that fits every intent',
    /signed: .*(brings|no person confirmed|pays another amount|sends)/,
    { writer: true, liar: true, fault: { deps: () => ({ seals: { ...TEST_SEALS, isSealOf: () => true } }) } },
  ],
  [
    'a certificate that fits every order',
    /confirmed: the fire/,
    {
      writer: true,
      liar: true,
      fault: {
        deps: () => ({
          certifier: {
            ...TEST_CERTIFIER,
            order: (order) =>
              'certificate' in order ? String(order.certificate) : TEST_CERTIFIER.order(order),
          },
        }),
      },
    },
  ],
  [
    'rows that are believed without their certificates',
    /an address that has not waited/,
    { writer: true, fault: { believesRows: true } },
  ],
  [
    'a second message beside a living one',
    /signed: .* while .* lives|paid twice|carried out 2 times/,
    { liar: true, fault: { rules: { otherMessage: false } } },
  ],
  [
    'a day that the journal does not count',
    /left \w+ in a day of/,
    {
      writer: true,
      fault: { deps: () => ({ guardRules: { ...HOSTILE_RULES, dailyCapLamports: 10n ** 15n } }) },
    },
  ],
  [
    'payouts without a bound',
    /payouts took \d+, and trades prove/,
    {
      liar: true,
      fault: { deps: () => ({ guardRules: { ...HOSTILE_RULES, unprovedLamports: 10n ** 15n } }) },
    },
  ],
];

describe('hands that are against a run', { timeout: 1_800_000 }, () => {
  it('have no place where there is none: with the real signer everything settles', async () => {
    const { untouched, fenced, lies } = await playedAll({});
    expect(fenced).toBe(0);
    expect(lies('asked')).toBe(0);
    expect(untouched).toBeGreaterThan(10 * SEEDS);
  });

  it('move nothing by rows: what no person confirmed is not signed, and who was not touched is served', async () => {
    const { untouched, writes } = await playedAll({ writer: true });
    for (const act of ['changed', 'swapped', 'deleted', 'restored'] as const)
      expect(writes(act), act).toBeGreaterThan(SEEDS / 2);
    expect(untouched).toBeGreaterThan(SEEDS);
  });

  it('move nothing by lies of a worker', async () => {
    const { untouched, lies } = await playedAll({ liar: true });
    expect(lies('asked')).toBeGreaterThan(10 * SEEDS);
    // Honest terms are signed for each caller.
    expect(lies('signed')).toBeGreaterThan(0);
    expect(untouched).toBeGreaterThan(SEEDS);
  });

  it('move nothing together', async () => {
    const { writes, lies } = await playedAll({ writer: true, liar: true });
    expect(writes('changed')).toBeGreaterThan(SEEDS / 2);
    expect(lies('asked')).toBeGreaterThan(10 * SEEDS);
  });

  it.each(FAULTS)('are found where the signer has %s', async (_what, words, hostile) => {
    let found = '';
    for (let seed = 1; seed <= FAULT_SEEDS && !words.test(found); seed += 1)
      found += `${(await played(seed, hostile)).violations.join('\n')}\n`;
    expect(found).toMatch(words);
  });

  it('are the same hands in the same seed', async () => {
    const [one, other] = [
      await played(7, { writer: true, liar: true }),
      await played(7, { writer: true, liar: true }),
    ];
    expect(other.hostile).toEqual(one.hostile);
    expect(other.intents).toEqual(one.intents);
  });
});

describe('the columns that a writer of a run knows', () => {
  it('are all sealed ones of its tables, from the registry, and for a worker those of its grants', () => {
    expect(PLACES.filter(({ kind }) => kind === 'sealed').length).toBeGreaterThan(70);
    const names = (role: Parameters<typeof placesOf>[0]): readonly string[] =>
      placesOf(role).map(({ table, column }) => `${table}.${column}`);
    expect(names('worker')).toContain('attempts.status');
    expect(names('worker')).not.toContain('wallets.address');
    expect(names(null)).toContain('wallets.address');
  });
});
