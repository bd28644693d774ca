import { describe, expect, it } from 'vitest';
import type { FenceRules } from '../../src/engine/signing/rules/fence.ts';
import type { Failovers } from '../support/simulator/failover.ts';
import { CALM } from '../support/simulator/fault-levels.ts';
import { seededRandom } from '../support/simulator/random.ts';
import { simulate } from '../support/simulator/simulate.ts';

/** CI plays few; `FAILOVER_SEEDS=500` plays what the design asks for. */
const SEEDS = Number(process.env['FAILOVER_SEEDS'] ?? 40);
const WEATHER = { ...CALM, dropSend: 0.2, loseAnswer: 0.2, landLate: 0.3, commitAckLost: 0.02 };

/** A run whose database is promoted once without its last commits, at a moment that the seed decides. */
async function played(
  seed: number,
  given: Pick<Failovers, 'loses'> & { readonly rules?: Partial<FenceRules>; readonly commits?: number } = {},
) {
  const random = seededRandom(seed * 31);
  const { commits = random.between(1, 10), ...rest } = given;
  return simulate({
    seed,
    mode: 'liveness',
    kinds: ['withdraw-sol', 'buy', 'payout'],
    levels: WEATHER,
    stormMs: 20_000,
    kills: false,
    failovers: { ...rest, promotions: [{ atMs: random.between(50, 6_000), commits }] },
  });
}

async function violationsOf(given: Parameters<typeof played>[1]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let seed = 1; seed <= 400 && found.length === 0; seed += 1)
    found.push(...(await played(seed, given)).violations);
  return found;
}

describe('a database that is promoted without its last commits', { timeout: 1_800_000 }, () => {
  it('pays nothing twice, and is fenced off or agrees with the chain', async () => {
    let [fenced, forgotten] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await played(seed);
      expect(result.violations, `seed ${seed}`).toEqual([]);
      fenced += Number(result.fenced);
      forgotten += result.forgotten;
    }
    expect(fenced).toBeGreaterThan(0);
    expect(forgotten).toBeGreaterThan(SEEDS);
  });

  it('pays nothing twice when the journal is cut and the database is whole', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1)
      expect((await played(seed, { loses: 'some-lines', commits: 0 })).violations, `seed ${seed}`).toEqual(
        [],
      );
  });

  it('pays twice where the journal is lost with the commits', async () => {
    expect((await violationsOf({ loses: 'all-lines' })).join()).toMatch(
      /paid twice|no fence is up|landed and/,
    );
  });

  it('is seen to pay twice where the other messages of an intent are not looked at', async () => {
    const rules = { otherMessage: false, newestStored: false, orphans: false };
    expect((await violationsOf({ rules })).join()).toMatch(/paid twice|no fence is up|landed and/);
  });
});
