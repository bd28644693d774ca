import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { createChainLook } from '../../../src/engine/signing/use/look-at-chain.ts';
import type { DeathProbe, SignatureStatus } from '../../../src/platform/ports/chain.ts';
import { fakeClock } from '../../support/fakes/clock.ts';

const NOTE = { signature: 's', diesAfter: 1_000n, signedSlot: 500n, at: 0 };
const final = (err: string | null): SignatureStatus => ({ slot: 900n, level: 'finalized', err });

/** What the signer hears when each endpoint has this status; null of an endpoint that is silent. */
function lookAt(statuses: readonly (SignatureStatus | null | 'silent')[]) {
  const probe = async (_signature: string, round: number): Promise<DeathProbe> => {
    const at = round % statuses.length;
    const status = statuses[at];
    if (status === undefined || status === 'silent')
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: `node-${at}`, cause: 'silent' });
    return {
      endpoint: `node-${at}`,
      endpoints: statuses.length,
      finalizedHeight: 900n,
      finalizedSlot: 950n,
      status,
      statusSlot: 950n,
      firstAvailableBlock: 0n,
    };
  };
  // A whole number of rounds, so that the first endpoint is asked first.
  return createChainLook({ witness: { probe }, clock: fakeClock(0) })(NOTE);
}

describe('the end of a signature by the nodes', () => {
  it('is believed of two endpoints that agree', async () => {
    expect(await lookAt([final(null), final(null)])).toMatchObject({
      word: 'landed',
      looks: [{ endpoint: 'node-0' }, { endpoint: 'node-1' }],
    });
    expect((await lookAt([final('"E"'), final('"E"')])).word).toBe('failed');
  });

  it('is believed of the only endpoint there is', async () => {
    expect((await lookAt([final(null)])).word).toBe('landed');
  });

  it.each([
    ['one of two does not know it', [final(null), null]],
    ['one of two has not seen it final', [final(null), { ...final(null), level: 'confirmed' as const }]],
    ['they end it differently', [final(null), final('"E"')]],
  ])('is undecided where %s', async (_, statuses) => {
    expect(await lookAt(statuses)).toEqual({ word: 'undecided', looks: [] });
  });

  it('is undecided where one of two is silent', async () => {
    expect(await lookAt([final(null), 'silent'])).toEqual({ word: 'undecided', looks: [] });
  });
});
